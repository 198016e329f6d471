import { isCollection, isMap, isScalar, type ParsedNode } from 'yaml';
import { parseLocale } from '../../languages/locale.ts';
import type { Document, ScanOptions, Slot } from '../format.ts';
import { dialectOf } from './dialect.ts';
import { booleanKeysOf, keepOutline, type Mark, type Outline, type YamlEntry } from './outline.ts';
import { parseDocuments, syntaxError, type YamlTree } from './parse.ts';
import { encodeScalar, type Surroundings } from './scalar.ts';
import { Walk, type FoundText } from './walk.ts';

export function scan(text: string, options: ScanOptions = {}): Document {
  const trees = parseDocuments(text);
  const walk = new Walk(text, options.source && booleanKeysOf(options.source));
  const [only] = trees;
  const outline = trees.length > 1 ? walkSeveral(walk, trees, options) : walkOne(walk, only, options);
  checkAliases(text, outline);
  const around: Surroundings = { text, quote: preferredQuote(walk.texts), encodable: options.encodable };
  const rails = outline.root !== undefined;
  const notation = dialectOf(walk.texts, rails);
  const document: Document = {
    text,
    slots: walk.texts.map(({ key, value, place, comment }): Slot => ({
      key,
      value,
      span: place.span,
      syntax: notation.syntaxOf(value),
      comment,
      encode: (wanted) => encodeScalar(around, place, wanted),
    })),
    entries: outline.entries,
    dialect: notation.dialect,
    locale: outline.root && text.slice(...rootName(outline.root, text)),
    warnings: walk.warnings,
  };
  keepOutline(document, outline);
  return document;
}

/** The offsets of the root key's name, without its quotes. */
export function rootName({ head, keyEnd }: YamlEntry, text: string): [number, number] {
  const quoted = text[head] === '"' || text[head] === "'";
  return quoted ? [head + 1, keyEnd - 1] : [head, keyEnd];
}

function walkOne(walk: Walk, tree: YamlTree | undefined, options: ScanOptions): Outline {
  walk.enter(0, tree?.range[0] ?? 0);
  const contents: ParsedNode | null = tree?.contents ?? null;
  const marks = { ...marksOf(walk), documents: 1, options };
  if (!contents || !isCollection(contents)) {
    const [start, end] = contents?.range ?? [0, 0];
    const empty = start === end;
    return {
      ...marks,
      entries: [],
      root: undefined,
      top: { kind: empty ? 'empty' : 'leaf', value: { start, end } },
    };
  }
  const rooted = isRooted(contents, options);
  const entries = walk.collection(contents, [], rooted);
  const [start, end] = contents.range;
  const open = contents.flow === true ? start + 1 : undefined;
  const top = { kind: isMap(contents) ? 'map' : 'sequence', value: { start, end }, open } as const;
  const root = rooted ? entries[0] : undefined;
  return { ...marks, entries: root ? (root.children ?? []) : entries, root, top };
}

function walkSeveral(walk: Walk, trees: readonly YamlTree[], options: ScanOptions): Outline {
  const entries = trees.map((tree, index): YamlEntry => {
    const key = [String(index)];
    const [start, end] = tree.range;
    walk.enter(index, start);
    const contents: ParsedNode | null = tree.contents;
    const children = contents && isCollection(contents) ? walk.collection(contents, key) : [];
    const place = { head: start, keyEnd: start, column: 0, flow: false, item: false, ownLine: true };
    return { key, span: { start, end }, children, kind: 'document', value: { start, end }, ...place };
  });
  return { ...marksOf(walk), options, entries, documents: trees.length, root: undefined, top: undefined };
}

function marksOf({
  anchors,
  aliases,
  keeps,
  booleanKeys,
}: Walk): Pick<Outline, 'anchors' | 'aliases' | 'keeps' | 'booleanKeys'> {
  return { anchors, aliases, keeps, booleanKeys };
}

/**
 * Whether the document is `locale: {…}` as Rails has it. A file known to be in another language has a key there that
 * only looks like one (`it`, `no`, `id`).
 */
function isRooted(contents: ParsedNode, { locale }: ScanOptions): boolean {
  if (!isMap(contents) || contents.tag !== undefined || contents.items.length !== 1) return false;
  const [pair] = contents.items;
  if (!pair || !isScalar(pair.key) || pair.key.tag !== undefined || pair.key.anchor !== undefined)
    return false;
  if (pair.srcToken?.start.some(({ type }) => type === 'explicit-key-ind') === true) return false;
  const { value } = pair;
  const below = !value || isMap(value) || (isScalar(value) && (value.range?.[0] ?? 0) === value.range?.[1]);
  if (!below || (value !== null && value?.tag !== undefined)) return false;
  const found = parseLocale(String(pair.key.value));
  if (found === undefined) return false;
  return locale === undefined || languageOf(found) === languageOf(locale);
}

function languageOf(locale: string): string | undefined {
  return locale.split('-', 1)[0];
}

const id = ({ document, name }: Mark): string => `${document} ${name}`;

/** @throws DragomanError when an alias has no anchor before it: no program can load such a file. */
function checkAliases(text: string, { anchors, aliases }: Outline): void {
  const first = new Map<string, number>();
  for (const anchor of anchors) {
    if (!first.has(id(anchor))) first.set(id(anchor), anchor.span.start);
  }
  for (const alias of aliases) {
    if ((first.get(id(alias)) ?? Infinity) > alias.span.start) {
      throw syntaxError(text, alias.span.start, `the alias *${alias.name} has no anchor before it`);
    }
  }
}

function preferredQuote(texts: readonly FoundText[]): 'single' | 'double' {
  let balance = 0;
  for (const { place } of texts) {
    if (place.style === 'double') balance++;
    else if (place.style === 'single') balance--;
  }
  return balance > 0 ? 'double' : 'single';
}
