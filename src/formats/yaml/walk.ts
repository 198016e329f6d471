import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Scalar,
  type CST,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Span } from '../../base/span.ts';
import type { DocumentWarning, Key } from '../format.ts';
import { booleanOf, nameLikeSource, type BooleanKey, type BooleanKeys } from './boolean-keys.ts';
import { commentsAbove, TailFinder, trailingComment } from './comments.ts';
import { LineCursor } from './lines.ts';
import type { Mark, ValueKind, YamlEntry } from './outline.ts';
import { readsAsText } from './reading.ts';
import type { Place, Style } from './place.ts';

/** A slot before the syntax of the file is known. */
export interface FoundText {
  readonly key: Key;
  readonly value: string;
  readonly place: Place;
  readonly comment: string | undefined;
}

type Node = ParsedNode | null | undefined;
type Collection = YAMLMap.Parsed | YAMLSeq.Parsed;
type Item = CST.CollectionItem;
type Tokens = readonly CST.SourceToken[] | undefined;

/** Where an entry begins, before its value is looked at. */
interface Head {
  readonly flow: boolean;
  readonly item: boolean;
  readonly offset: number;
  readonly keyEnd: number;
  readonly valueStart: number;
}

const STRING_TAGS = new Set(['!', 'tag:yaml.org,2002:str']);
const COLLECTION_TAGS = new Set(['!', 'tag:yaml.org,2002:map', 'tag:yaml.org,2002:seq']);
const STYLES: ReadonlyMap<string, Style> = new Map([
  ['scalar', 'plain'],
  ['single-quoted-scalar', 'single'],
  ['double-quoted-scalar', 'double'],
  ['block-scalar', 'block'],
]);

/** Collects texts and entries of composed nodes, in file order. */
export class Walk {
  readonly texts: FoundText[] = [];
  readonly warnings: DocumentWarning[] = [];
  readonly anchors: Mark[] = [];
  readonly aliases: Mark[] = [];
  readonly keeps = new Set<number>();
  readonly booleanKeys = new Map<string, readonly BooleanKey[]>();
  readonly #text: string;
  readonly #source: BooleanKeys | undefined;
  readonly #lines: LineCursor;
  readonly #tails: TailFinder;
  #document = 0;
  /** End of the content read so far: what lies between it and the next entry is white space and comments. */
  #floor = 0;
  /** Within a collection whose tag may mean anything: nothing in it is a text. */
  #muted = false;

  /** @param source the boolean keys of the document that this one is a translation of */
  constructor(text: string, source?: BooleanKeys) {
    this.#text = text;
    this.#source = source;
    this.#lines = new LineCursor(text);
    this.#tails = new TailFinder(text);
  }

  /** To be called before the contents of each document, with the place where it begins. */
  enter(document: number, start: number): void {
    this.#document = document;
    this.#floor = start;
  }

  /** The entries of a collection; with `hide` the key of a pair is no segment of the keys below it. */
  collection(node: Collection, key: Key, hide = false): readonly YamlEntry[] {
    const muted = this.#muted;
    this.#muted ||= hasCustomTag(node);
    const flow = node.flow === true;
    // A pair that is an item of a flow sequence has no bracket and no token of its own.
    if (flow && node.srcToken) this.#floor = node.range[0] + 1;
    const entries = isMap(node) ? this.#pairs(node, key, flow, hide) : this.#items(node, key, flow);
    this.#muted = muted;
    return entries;
  }

  #pairs(map: YAMLMap.Parsed, parent: Key, flow: boolean, hide: boolean): readonly YamlEntry[] {
    const seen = new Set<string>();
    const entries: YamlEntry[] = [];
    const names = map.items.map(({ key: node }) => this.#nameOf(node));
    const keys = hide ? names : this.#namesLikeSource(map, names, parent);
    for (const [i, { key: node, value, srcToken: token }] of map.items.entries()) {
      const name = names[i] ?? '';
      const offset = firstProp(token?.start) ?? token?.key?.offset ?? token?.sep?.[0]?.offset ?? 0;
      const keyEnd = Math.max(node?.range[1] ?? offset, offset);
      if (seen.has(name) && !this.#muted)
        this.warnings.push({ rule: 'duplicate-key', key: [...parent, name], offset });
      seen.add(name);
      if (node) this.#marks(node, token?.start);
      const colon = token?.sep?.find(({ type }) => type === 'map-value-ind');
      const behind = colon ? colon.offset + 1 : keyEnd;
      const valueStart = firstProp(token?.sep) ?? (value && !isEmpty(value) ? value.range[0] : behind);
      const head = { flow, item: false, offset, keyEnd, valueStart };
      entries.push(
        this.#entry(hide ? parent : [...parent, keys[i] ?? name], head, value, token?.sep, behind),
      );
    }
    return entries;
  }

  #items(sequence: YAMLSeq.Parsed, parent: Key, flow: boolean): readonly YamlEntry[] {
    // The items of a sequence do not carry their tokens; those of the sequence include some that are only comments.
    const items: readonly Item[] = sequence.srcToken?.items ?? [];
    const tokens = items.filter(
      (item) => item.value !== undefined || item.key !== undefined || item.start.some(isSubstance),
    );
    return sequence.items.map((node, index) => {
      const token = tokens[index];
      const dash = token?.start.find(({ type }) => type === 'seq-item-ind');
      const prop = firstProp(token?.start);
      const start = node.range[0];
      const behind = dash ? dash.offset + 1 : start;
      const valueStart = prop ?? (isEmpty(node) ? behind : start);
      const offset = dash?.offset ?? valueStart;
      const head = { flow, item: true, offset, keyEnd: offset, valueStart };
      return this.#entry([...parent, String(index)], head, node, token?.start, behind);
    });
  }

  #entry(key: Key, head: Head, node: Node, props: Tokens, behind: number): YamlEntry {
    const lineStart = this.#lines.lineStartOf(head.offset);
    const ownLine = lineStart >= this.#floor;
    const column = head.offset - lineStart;
    const above = ownLine
      ? commentsAbove(this.#text, lineStart, this.#floor, column)
      : { start: lineStart, lines: [] };
    this.#floor = Math.max(this.#floor, behind);
    if (node) this.#marks(node, props);
    const kind = kindOf(node);
    const collection = node && isCollection(node) ? node : undefined;
    const inside = collection ? this.collection(collection, key) : [];
    const atomic =
      kind === 'leaf' || kind === 'alias' || collection?.srcToken === undefined || hasCustomTag(collection);
    const end = Math.max(this.#endOf(node, inside, behind), head.valueStart, endOfProps(props));
    this.#floor = Math.max(this.#floor, end);
    const value: Span = { start: head.valueStart, end };
    const trailing = this.#trailing(node, end);
    if (kind === 'leaf' && node && isScalar(node))
      this.#scalar(node, key, head.flow, end, [...above.lines, ...(trailing ? [trailing.words] : [])]);
    let last = trailing?.end ?? end;
    if (!head.flow) last = this.#tails.extend(last, column);
    const first = above.lines.length > 0 ? above.start : head.offset;
    const whole = kind !== 'empty' && atomic;
    return {
      key,
      span: head.flow ? { start: head.offset, end } : { start: first, end: last },
      children: whole ? undefined : inside,
      kind: whole && kind !== 'alias' ? 'leaf' : kind,
      flow: head.flow,
      item: head.item,
      ownLine,
      column,
      head: head.offset,
      keyEnd: head.keyEnd,
      value,
      open: collection?.flow === true && !whole ? collection.range[0] + 1 : undefined,
    };
  }

  #trailing(node: Node, end: number): { end: number; words: string } | undefined {
    if (!isBlockScalar(node)) return trailingComment(this.#text, end);
    const note = node.comment?.trim();
    return note ? { end, words: note } : undefined;
  }

  #scalar(node: Scalar, key: Key, flow: boolean, end: number, comments: readonly string[]): void {
    const token = node.srcToken;
    const style = token && STYLES.get(token.type);
    if (this.#muted || !style || !node.range || typeof node.value !== 'string') return;
    if (node.tag === undefined) {
      if (style === 'plain' && !readsAsText(node.value)) return;
    } else if (!STRING_TAGS.has(node.tag)) return;
    const unended = style === 'block' && node.value.endsWith('\n') && this.#endsUnbroken(end);
    this.texts.push({
      key,
      value: unended ? node.value.slice(0, -1) : node.value,
      place: {
        style,
        flow,
        indent: 'indent' in token ? token.indent : 0,
        span: { start: node.range[0], end },
      },
      comment: comments.length === 0 ? undefined : comments.join('\n'),
    });
  }

  /**
   * Whether the text ends here without a line break. The library reads one at the end of a block scalar all the same;
   * the specification and other readers do not.
   */
  #endsUnbroken(end: number): boolean {
    return end === this.#text.length && /[^ ]/.test(this.#text.slice(this.#text.lastIndexOf('\n') + 1));
  }

  /** End of the content, without the last line break of a block scalar. */
  #endOf(node: Node, inside: readonly YamlEntry[], behind: number): number {
    if (!node || isEmpty(node)) return behind;
    const last = inside.at(-1);
    if (last && !last.flow) return last.span.end;
    const end = node.range[1];
    if (isBlockScalar(node) && /^.\d?\+/.test(this.#text.slice(node.range[0], node.range[0] + 3)))
      this.keeps.add(end);
    if (!isBlockScalar(node) || this.#text[end - 1] !== '\n') return end;
    return this.#text[end - 2] === '\r' ? end - 2 : end - 1;
  }

  #namesLikeSource(map: YAMLMap.Parsed, names: readonly string[], parent: Key): readonly string[] {
    const own = names.flatMap((name, index): BooleanKey[] => {
      const meaning = booleanOf(name);
      return meaning === undefined ? [] : [{ name, meaning, index, plain: isPlain(map.items[index]?.key) }];
    });
    if (own.length === 0) return names;
    const id = JSON.stringify(parent);
    this.booleanKeys.set(id, own);
    return nameLikeSource(names, own, this.#source?.get(id) ?? []);
  }

  #nameOf(node: Node): string {
    if (!node) return '';
    if (isScalar(node)) return String(node.value);
    return this.#text.slice(node.range[0], node.range[1]).trimEnd();
  }

  #marks(node: ParsedNode, props: Tokens): void {
    if (isAlias(node)) {
      this.aliases.push({
        name: node.source,
        span: { start: node.range[0], end: node.range[1] },
        document: this.#document,
      });
    } else if (node.anchor !== undefined) {
      const token = props?.findLast(({ type }) => type === 'anchor');
      const start = token?.offset ?? node.range[0];
      const end = start + (token?.source.length ?? 0);
      this.anchors.push({ name: node.anchor, span: { start, end }, document: this.#document });
    }
  }
}

/** `empty` also for an explicit null: a place where a collection can come. */
function kindOf(node: Node): ValueKind {
  if (!node) return 'empty';
  if (isAlias(node)) return 'alias';
  if (isMap(node)) return 'map';
  if (isSeq(node)) return 'sequence';
  const bare = node.tag === undefined && node.anchor === undefined;
  const nothing =
    isEmpty(node) || (node.srcToken?.type === 'scalar' && /^(?:~|null)$/i.test(String(node.value)));
  return bare && nothing ? 'empty' : 'leaf';
}

function isPlain(node: Node): boolean {
  return isScalar(node) && node.srcToken?.type === 'scalar' && node.tag === undefined;
}

function hasCustomTag(node: Collection): boolean {
  return node.tag !== undefined && !COLLECTION_TAGS.has(node.tag);
}

function endOfProps(tokens: Tokens): number {
  const last = tokens?.findLast(({ type }) => type === 'anchor' || type === 'tag');
  return last ? last.offset + last.source.length : 0;
}

function firstProp(tokens: Tokens): number | undefined {
  return tokens?.find(({ type }) => type === 'anchor' || type === 'tag' || type === 'explicit-key-ind')
    ?.offset;
}

function isSubstance({ type }: CST.SourceToken): boolean {
  return type === 'seq-item-ind' || type === 'anchor' || type === 'tag' || type === 'explicit-key-ind';
}

/** Nothing is written for this node, at most its anchor or tag. */
function isEmpty(node: ParsedNode): boolean {
  return isScalar(node) && node.range[1] === node.range[0];
}

function isBlockScalar(
  node: Node,
): node is ParsedNode & { comment?: string | null; range: [number, number, number] } {
  return node?.srcToken?.type === 'block-scalar';
}
