import { isAlias, isMap, isScalar, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import type { DocumentWarning, Key, ScanOptions } from '../format.ts';
import {
  type BooleanKey,
  type BooleanKeys,
  booleanOf,
  isRootPair,
  nameLikeSource,
  type RootedFile,
  type RootKey,
} from './special-keys.ts';
import { type CollectionSite, trailingComment, YamlLayout } from './layout.ts';
import {
  type Collection,
  collectionOf,
  endOfProps,
  firstProp,
  hasCustomTag,
  isBlockScalar,
  isEmpty,
  isPlain,
  itemTokens,
  kindOf,
  nameOf,
  type YamlNode,
  type YamlTokens,
} from './nodes.ts';
import { type Mark, noTextOf, type Top, type YamlEntry } from './outline.ts';
import { ShapeEvidence, type TopEntry } from './messages.ts';
import { checkPairs, type YamlTree } from './parse.ts';
import { TextReader, type FoundText } from './text-reader.ts';

export interface WalkOptions extends RootedFile {
  /** How the program that loads the file reads it, if known. */
  readonly messages?: ScanOptions['messages'];
  /** Whether this translates a document without a Rails root key, and therefore has none. */
  readonly rootless: boolean;
  /** The boolean keys of the document that this one translates. */
  readonly source: BooleanKeys | undefined;
  /** `texts`: without entries. */
  readonly detail: 'texts' | 'entries';
  /** Receives the texts in file order. */
  readonly onText: (text: FoundText) => void;
}

/** The start of an entry, before its value is read. */
interface Head {
  readonly item: boolean;
  readonly offset: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  /** The offset after the colon or dash. */
  readonly behind: number;
}

/** An entry whose value is still to come. */
interface Started {
  readonly key: Key;
  readonly head: Head;
  readonly node: YamlNode;
  readonly props: YamlTokens;
  readonly site: CollectionSite;
}

/** A collection whose items are being visited. */
interface Level {
  /** Prefix of its items' keys. */
  readonly key: Key;
  readonly flow: boolean;
  readonly names: Set<string>;
  readonly entries: YamlEntry[];
  /** Whether the document's only key is the Rails root key, which the keys below omit. */
  rooted: boolean;
  last: Pick<YamlEntry, 'span' | 'flow'> | undefined;
}

type Pairs = Pair<ParsedNode, ParsedNode | null>;

/** Finds texts and entries in composed nodes, in file order. */
export class YamlWalk {
  readonly warnings: DocumentWarning[] = [];
  readonly anchors: Mark[] = [];
  readonly aliases: Mark[] = [];
  readonly keeps = new Set<number>();
  readonly booleanKeys = new Map<string, readonly BooleanKey[]>();
  readonly evidence = new ShapeEvidence();
  /** The content of the only document; if there are several, one entry for each. */
  entries: YamlEntry[] = [];
  documents = 0;
  /** The content of the first document. */
  top: Top | undefined;
  root: RootKey | undefined;
  readonly #text: string;
  readonly #options: WalkOptions;
  readonly #layout: YamlLayout;
  readonly #texts: TextReader;
  /** The number of collections around the current entry. */
  #depth = 0;
  /** Whether the current place is within a collection with a custom tag, or within a key. */
  #muted = false;
  /** Whether the document's only key may be the Rails root. */
  #mayHaveRoot = false;

  constructor(text: string, options: WalkOptions) {
    this.#text = text;
    this.#options = options;
    this.#texts = new TextReader(text, options.messages);
    this.#layout = new YamlLayout(text);
  }

  /** @param several whether the stream has other documents */
  document({ contents, range }: YamlTree, several: boolean): void {
    const key = several ? [String(this.documents)] : [];
    const collection = collectionOf(contents);
    this.documents++;
    this.#mayHaveRoot = !several && collection?.tag === undefined && !this.#options.rootless;
    this.#layout.enter(range[0]);
    if (several) this.evidence.none();
    const [start, end] = contents?.range ?? [0, 0];
    const kind = collection ? kindOf(collection) : start === end ? 'empty' : 'leaf';
    this.top ??= { kind, open: collection?.flow === true ? start + 1 : undefined };
    const children = collection ? this.#collection(collection, key).entries : [];
    if (!several) {
      this.entries = children;
      return;
    }
    const head = range[0];
    const value = { start: collection ? head : start, end };
    const place = { head, keyEnd: head, column: 0, flow: false, item: false, ownLine: true };
    this.entries.push({ key, span: { start: head, end }, children, kind: 'document', value, ...place });
  }

  /** Visits the items of a collection. */
  #collection(collection: Collection, key: Key): Level {
    const flow = collection.flow === true;
    const muted = this.#muted;
    this.#muted ||= hasCustomTag(collection);
    // A pair that is an item of a flow sequence has neither bracket nor token.
    if (flow && collection.srcToken) this.#layout.enter(collection.range[0] + 1);
    const level: Level = { key, flow, names: new Set(), entries: [], rooted: false, last: undefined };
    this.#depth++;
    if (isMap(collection)) this.#pairs(level, collection);
    else {
      const tokens = itemTokens(collection);
      for (const [i, node] of collection.items.entries())
        this.#visit(level, this.#item(level, node, tokens[i]?.start, i));
    }
    this.#depth--;
    this.#muted = muted;
    return level;
  }

  #visit(parent: Level, started: Started): void {
    const { key, head, node, props } = started;
    this.#layout.pass(head.behind);
    if (node) this.#mark(node, props);
    const collection = collectionOf(node);
    this.#finish(parent, started, collection && this.#collection(collection, key));
  }

  #pairs(level: Level, map: YAMLMap.Parsed): void {
    checkPairs(this.#text, map);
    const [first, second] = map.items;
    level.rooted =
      first !== undefined &&
      second === undefined &&
      this.#depth === 1 &&
      this.#mayHaveRoot &&
      isRootPair(first, this.#options);
    const names = map.items.map(({ key }) => nameOf(key, this.#text));
    const keys = this.#likeSource(level, map, names);
    for (const [i, pair] of map.items.entries())
      this.#visit(level, this.#pair(level, pair, names[i] ?? '', keys[i] ?? ''));
  }

  #pair(level: Level, { key: node, value, srcToken: token }: Pairs, name: string, keyName: string): Started {
    const offset = firstProp(token?.start) ?? token?.key?.offset ?? token?.sep?.[0]?.offset ?? 0;
    const keyEnd = Math.max(node?.range[1] ?? offset, offset);
    const site = this.#layout.siteOf(offset);
    const key = level.rooted ? level.key : level.key.concat(keyName);
    if (level.rooted) this.root = { head: offset, keyEnd, flow: level.flow };
    if (!this.#muted) {
      if (level.names.has(name))
        this.warnings.push({ rule: 'duplicate-key', key: [...level.key, name], offset });
      level.names.add(name);
    }
    if (node) this.#markKey(node, token?.start);
    const colon = token?.sep?.find(({ type }) => type === 'map-value-ind');
    const behind = colon ? colon.offset + 1 : keyEnd;
    const valueStart = firstProp(token?.sep) ?? (value && !isEmpty(value) ? value.range[0] : behind);
    const head = { item: false, offset, keyEnd, valueStart, behind };
    return { key, head, node: value, props: token?.sep, site };
  }

  #item(level: Level, node: ParsedNode, props: YamlTokens, index: number): Started {
    const dash = props?.find(({ type }) => type === 'seq-item-ind');
    const start = node.range[0];
    const behind = dash ? dash.offset + 1 : start;
    const valueStart = firstProp(props) ?? (isEmpty(node) ? behind : start);
    const offset = dash?.offset ?? valueStart;
    const head = { item: true, offset, keyEnd: offset, valueStart, behind };
    const key = level.key.concat(String(index));
    return { key, head, node, props, site: this.#layout.siteOf(offset) };
  }

  /** @param level of the value, if it is a collection */
  #finish(parent: Level, { key, head, node, props, site }: Started, level: Level | undefined): void {
    const { flow } = parent;
    const kind = kindOf(node);
    const collection = collectionOf(node);
    const end = Math.max(this.#endOf(node, level, head.behind), head.valueStart, endOfProps(props));
    const trailing = this.#trailing(node, end);
    const comments = [...site.comments, ...(trailing ? [trailing.words] : [])];
    const text =
      kind === 'leaf' && isScalar(node) && !this.#muted
        ? this.#texts.read(node, { key, flow, end, comments })
        : undefined;
    const isText = text !== undefined;
    this.#weigh(key, { isText, isMap: isMap(collection), isItem: head.item }, !collection);
    if (text) this.#options.onText(text);
    this.#layout.pass(end);
    let last = trailing?.end ?? end;
    if (!flow) last = this.#layout.withTail(last, site.column);
    const span = flow ? { start: head.offset, end } : { start: site.start, end: last };
    parent.last = { flow, span };
    const { detail, messages } = this.#options;
    if (detail !== 'entries') return;
    const atomic =
      kind === 'leaf' || kind === 'alias' || collection?.srcToken === undefined || hasCustomTag(collection);
    const whole = kind !== 'empty' && atomic;
    parent.entries.push({
      key,
      span,
      children: whole ? undefined : (level?.entries ?? []),
      noText: noTextOf(kind, whole && !isText, this.#text.slice(head.valueStart, end), messages),
      kind: whole && kind !== 'alias' ? 'leaf' : kind,
      flow,
      item: head.item,
      ownLine: site.ownLine,
      column: site.column,
      head: head.offset,
      keyEnd: head.keyEnd,
      value: { start: head.valueStart, end },
      open: collection?.flow === true && !whole ? collection.range[0] + 1 : undefined,
    });
  }

  /** Counts an entry as evidence for the document's shape, by its depth below the document or the Rails root. */
  #weigh(key: Key, entry: TopEntry, isScalar: boolean): void {
    const depth = this.#depth - (this.root ? 1 : 0);
    this.evidence.weigh(depth, key.at(-1) ?? '', entry, isScalar);
  }

  #trailing(node: YamlNode, end: number): { end: number; words: string } | undefined {
    if (!isBlockScalar(node)) return trailingComment(this.#text, end);
    const note = node.comment?.trim();
    return note ? { end, words: note } : undefined;
  }

  /** End of the content, without the last line break of a block scalar. */
  #endOf(node: YamlNode, level: Level | undefined, behind: number): number {
    if (!node || isEmpty(node)) return behind;
    if (level?.last && !level.last.flow) return level.last.span.end;
    const end = node.range[1];
    if (isBlockScalar(node) && /^.\d?\+/.test(this.#text.slice(node.range[0], node.range[0] + 3)))
      this.keeps.add(end);
    if (!isBlockScalar(node) || this.#text[end - 1] !== '\n') return end;
    return this.#text[end - 2] === '\r' ? end - 2 : end - 1;
  }

  /** The names of a map's pairs; boolean keys get the source's names. */
  #likeSource(level: Level, { items }: YAMLMap.Parsed, names: readonly string[]): readonly string[] {
    if (level.rooted || this.#muted) return names;
    const own = names.flatMap((name, index): BooleanKey[] => {
      const meaning = booleanOf(name);
      return meaning === undefined ? [] : [{ name, meaning, index, plain: isPlain(items[index]?.key) }];
    });
    if (own.length === 0) return names;
    const id = JSON.stringify(level.key);
    this.booleanKeys.set(id, own);
    return nameLikeSource(names, own, this.#options.source?.get(id) ?? []);
  }

  /** Marks a key and its content as not containing texts. */
  #markKey(node: ParsedNode, props: YamlTokens): void {
    this.#mark(node, props);
    const collection = collectionOf(node);
    if (!collection) return;
    const muted = this.#muted;
    this.#muted = true;
    this.#collection(collection, []);
    this.#muted = muted;
  }

  #mark(node: ParsedNode, props: YamlTokens): void {
    const document = this.documents - 1;
    if (isAlias(node)) {
      const [start, end] = node.range;
      this.aliases.push({ name: node.source, span: { start, end }, document });
    } else if (node.anchor !== undefined) {
      const token = props?.findLast(({ type }) => type === 'anchor');
      const start = token?.offset ?? node.range[0];
      const end = start + (token?.source.length ?? 0);
      this.anchors.push({ name: node.anchor, span: { start, end }, document });
    }
  }
}
