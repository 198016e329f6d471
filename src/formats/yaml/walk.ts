import { isAlias, isMap, isScalar, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import type { Span } from '../../base/span.ts';
import type { DocumentWarning, Key, ScanOptions } from '../format.ts';
import {
  type BooleanKey,
  type BooleanKeys,
  booleanOf,
  isLastKey,
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
import { checkPairs } from './parse.ts';
import type { PieceVisitor, YamlTree } from './pieces.ts';
import { TextReader, type FoundText } from './text-reader.ts';

export interface WalkOptions extends RootedFile {
  /** How the program that loads the file reads it, if known. */
  readonly messages?: ScanOptions['messages'];
  /** This translates a document without a Rails root key, so it has none either. */
  readonly rootless: boolean;
  /** The boolean keys of the document that this one translates. */
  readonly source: BooleanKeys | undefined;
  /** `values`: without comments and entries; `texts`: without entries. */
  readonly detail: 'values' | 'texts' | 'entries';
  /**
   * Receives the texts in file order.
   *
   * @param isShapeless whether the document's entries are known to have no common shape
   */
  readonly onText: (text: FoundText, isShapeless: boolean) => void;
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
  readonly site: CollectionSite | undefined;
}

/** A collection whose items are being visited. */
interface Level {
  /** Prefix of its items' keys. */
  readonly key: Key;
  readonly flow: boolean;
  /** The entry with this value; undefined for the content of a document. */
  readonly started: Started | undefined;
  /** Whether nothing in the surrounding collection is a text. */
  readonly muted: boolean;
  readonly names: Set<string>;
  readonly booleans: BooleanKey[];
  readonly entries: YamlEntry[];
  /** The number of items so far. */
  count: number;
  /** Its only key is the Rails root key, which the keys below omit. */
  rooted: boolean;
  last: Pick<YamlEntry, 'span' | 'flow'> | undefined;
}

interface DocumentStart {
  readonly key: Key;
  readonly several: boolean;
  /** Its content has a tag. */
  readonly tagged: boolean;
  readonly start: number;
}

type Pairs = Pair<ParsedNode, ParsedNode | null>;

/** Finds texts and entries in composed nodes, in file order. */
export class YamlWalk implements PieceVisitor {
  readonly warnings: DocumentWarning[] = [];
  readonly anchors: Mark[] = [];
  readonly aliases: Mark[] = [];
  readonly keeps = new Set<number>();
  readonly booleanKeys = new Map<string, readonly BooleanKey[]>();
  readonly evidence = new ShapeEvidence();
  /** The content of the only document, or the documents. */
  entries: YamlEntry[] = [];
  documents = 0;
  /** The content of the first document. */
  top: Top | undefined;
  root: RootKey | undefined;
  readonly wholeRoot: boolean;
  readonly #text: string;
  readonly #options: WalkOptions;
  readonly #layout: YamlLayout | undefined;
  readonly #texts: TextReader;
  readonly #frames: Level[] = [];
  #document: DocumentStart = { key: [], several: false, tagged: false, start: 0 };
  /** Within a collection with a custom tag, or within a key. */
  #muted = false;
  #isLastKey: boolean | undefined;

  constructor(text: string, options: WalkOptions) {
    this.#text = text;
    this.#options = options;
    this.#texts = new TextReader(text, options.messages);
    this.#layout = options.detail === 'values' ? undefined : new YamlLayout(text);
    // Names that follow the source's are determined all at once.
    this.wholeRoot = [...(options.source?.keys() ?? [])].some((id) => /^\[(?:"\d+")?\]$/.test(id));
  }

  begin({ contents, range }: YamlTree, several: boolean): void {
    const key = several ? [String(this.documents)] : [];
    const collection = collectionOf(contents);
    this.documents++;
    this.#document = { key, several, tagged: collection?.tag !== undefined, start: range[0] };
    this.#layout?.enter(range[0]);
    if (several) this.evidence.none();
    const [start, end] = contents?.range ?? [0, 0];
    const kind = collection ? kindOf(collection) : start === end ? 'empty' : 'leaf';
    this.top ??= { kind, open: collection?.flow === true ? start + 1 : undefined };
    if (collection) this.#push(collection, key, undefined);
    else this.#end([], { start, end });
  }

  items(collection: Collection, last: boolean): void {
    const frame = this.#frame();
    if (isMap(collection)) this.#pairs(frame, collection, last);
    else {
      const tokens = itemTokens(collection);
      for (const [i, node] of collection.items.entries())
        this.#visit(this.#item(frame, node, tokens[i]?.start));
    }
  }

  open(collection: Collection): boolean {
    const frame = this.#frame();
    if (!isMap(collection)) {
      const [node] = collection.items;
      if (node) this.#descend(this.#item(frame, node, itemTokens(collection)[0]?.start), node);
      return node !== undefined;
    }
    const [pair] = collection.items;
    if (!pair?.value) return false;
    const rooted = this.#mayBeRooted(frame, pair);
    if (rooted && !this.#hasNoOtherKey(pair)) return false;
    const key = rooted ? frame.key : frame.key.concat(nameOf(pair.key, this.#text));
    if (this.#options.source?.has(JSON.stringify(key)) === true) return false;
    frame.rooted = rooted;
    const name = nameOf(pair.key, this.#text);
    this.#likeSource(frame, collection, [name]);
    this.#descend(this.#pair(frame, pair, name, name), pair.value);
    return true;
  }

  close(end: number): void {
    const frame = this.#frames.pop();
    if (!frame) return;
    this.#muted = frame.muted;
    if (frame.started) this.#finish(frame.started, frame);
    else this.#end(frame.entries, { start: this.#document.start, end });
  }

  /** @param value undefined if the document is empty */
  #end(children: YamlEntry[], value: Span): void {
    const { key, start, several } = this.#document;
    if (!several) {
      this.entries = children;
      return;
    }
    const span = { start, end: value.end };
    const place = { head: start, keyEnd: start, column: 0, flow: false, item: false, ownLine: true };
    this.entries.push({ key, span, children, kind: 'document', value, ...place });
  }

  #frame(): Level {
    const frame = this.#frames.at(-1);
    if (!frame) throw new RangeError('no collection is open');
    return frame;
  }

  #push(collection: Collection, key: Key, started: Started | undefined): void {
    const flow = collection.flow === true;
    const muted = this.#muted;
    this.#muted ||= hasCustomTag(collection);
    // A pair that is an item of a flow sequence has neither bracket nor token.
    if (flow && collection.srcToken) this.#layout?.enter(collection.range[0] + 1);
    const found = { names: new Set<string>(), booleans: [], entries: [], count: 0, last: undefined };
    this.#frames.push({ key, flow, started, muted, rooted: false, ...found });
  }

  #visit(started: Started): void {
    const collection = collectionOf(started.node);
    if (!collection) {
      this.#passHead(started);
      this.#finish(started, undefined);
      return;
    }
    this.#descend(started, collection);
    this.items(collection, true);
    this.close(collection.range[1]);
  }

  #descend(started: Started, node: ParsedNode): void {
    this.#passHead(started);
    const collection = collectionOf(node);
    if (collection) this.#push(collection, started.key, started);
  }

  #passHead({ head, node, props }: Started): void {
    this.#layout?.pass(head.behind);
    if (node) this.#mark(node, props);
  }

  #pairs(frame: Level, map: YAMLMap.Parsed, last: boolean): void {
    checkPairs(this.#text, map);
    const [first, second] = map.items;
    if (last && first && !second) frame.rooted ||= this.#mayBeRooted(frame, first);
    const names = map.items.map(({ key }) => nameOf(key, this.#text));
    const keys = this.#likeSource(frame, map, names);
    for (const [i, pair] of map.items.entries())
      this.#visit(this.#pair(frame, pair, names[i] ?? '', keys[i] ?? ''));
  }

  #pair(frame: Level, { key: node, value, srcToken: token }: Pairs, name: string, keyName: string): Started {
    const offset = firstProp(token?.start) ?? token?.key?.offset ?? token?.sep?.[0]?.offset ?? 0;
    const keyEnd = Math.max(node?.range[1] ?? offset, offset);
    const site = this.#layout?.siteOf(offset);
    const key = frame.rooted ? frame.key : frame.key.concat(keyName);
    if (frame.rooted) this.root = { head: offset, keyEnd, flow: frame.flow };
    if (site && !this.#muted) {
      if (frame.names.has(name))
        this.warnings.push({ rule: 'duplicate-key', key: [...frame.key, name], offset });
      frame.names.add(name);
    }
    frame.count++;
    if (node) this.#markKey(node, token?.start);
    const colon = token?.sep?.find(({ type }) => type === 'map-value-ind');
    const behind = colon ? colon.offset + 1 : keyEnd;
    const valueStart = firstProp(token?.sep) ?? (value && !isEmpty(value) ? value.range[0] : behind);
    const head = { item: false, offset, keyEnd, valueStart, behind };
    return { key, head, node: value, props: token?.sep, site };
  }

  #item(frame: Level, node: ParsedNode, props: YamlTokens): Started {
    const dash = props?.find(({ type }) => type === 'seq-item-ind');
    const start = node.range[0];
    const behind = dash ? dash.offset + 1 : start;
    const valueStart = firstProp(props) ?? (isEmpty(node) ? behind : start);
    const offset = dash?.offset ?? valueStart;
    const head = { item: true, offset, keyEnd: offset, valueStart, behind };
    const key = frame.key.concat(String(frame.count++));
    return { key, head, node, props, site: this.#layout?.siteOf(offset) };
  }

  /** @param frame of the value, if it is a collection */
  #finish({ key, head, node, props, site }: Started, frame: Level | undefined): void {
    const parent = this.#frame();
    const { flow } = parent;
    const kind = kindOf(node);
    const collection = collectionOf(node);
    const end = Math.max(this.#endOf(node, frame, head.behind), head.valueStart, endOfProps(props));
    const trailing = site && this.#trailing(node, end);
    const comments = [...(site?.comments ?? []), ...(trailing ? [trailing.words] : [])];
    const text =
      kind === 'leaf' && isScalar(node) && !this.#muted
        ? this.#texts.read(node, { key, flow, end, comments })
        : undefined;
    const isText = text !== undefined;
    this.#weigh(key, { isText, isMap: isMap(collection), isItem: head.item }, !collection);
    if (text) this.#options.onText(text, !this.evidence.open);
    if (!this.#layout || !site) return;
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
      children: whole ? undefined : (frame?.entries ?? []),
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
    const depth = this.#frames.length - (this.#frames[0]?.rooted === true ? 1 : 0);
    this.evidence.weigh(depth, key.at(-1) ?? '', entry, isScalar);
  }

  #trailing(node: YamlNode, end: number): { end: number; words: string } | undefined {
    if (!isBlockScalar(node)) return trailingComment(this.#text, end);
    const note = node.comment?.trim();
    return note ? { end, words: note } : undefined;
  }

  /** End of the content, without the last line break of a block scalar. */
  #endOf(node: YamlNode, frame: Level | undefined, behind: number): number {
    if (!node || isEmpty(node)) return behind;
    if (frame?.last && !frame.last.flow) return frame.last.span.end;
    const end = node.range[1];
    if (isBlockScalar(node) && /^.\d?\+/.test(this.#text.slice(node.range[0], node.range[0] + 3)))
      this.keeps.add(end);
    if (!isBlockScalar(node) || this.#text[end - 1] !== '\n') return end;
    return this.#text[end - 2] === '\r' ? end - 2 : end - 1;
  }

  /** Whether the document's first pair may be its Rails root. */
  #mayBeRooted(frame: Level, pair: Pairs): boolean {
    const { several, tagged } = this.#document;
    if (this.#options.rootless || this.#frames.length > 1 || frame.count > 0) return false;
    return !several && !tagged && isRootPair(pair, this.#options);
  }

  #hasNoOtherKey({ key }: Pairs): boolean {
    const [start, end] = key.range;
    const column = start - (this.#text.lastIndexOf('\n', start - 1) + 1);
    return (this.#isLastKey ??= isLastKey(this.#text, end, column));
  }

  /** The names of a map's pairs; boolean keys get the source's names. */
  #likeSource(frame: Level, { items }: YAMLMap.Parsed, names: readonly string[]): readonly string[] {
    if (frame.rooted || this.#muted) return names;
    const own = names.flatMap((name, i): BooleanKey[] => {
      const meaning = booleanOf(name);
      const index = frame.count + i;
      return meaning === undefined ? [] : [{ name, meaning, index, plain: isPlain(items[i]?.key) }];
    });
    if (own.length === 0) return names;
    const id = JSON.stringify(frame.key);
    frame.booleans.push(...own);
    this.booleanKeys.set(id, frame.booleans);
    return nameLikeSource(names, own, this.#options.source?.get(id) ?? []);
  }

  /** Marks a key and its content as not containing texts. */
  #markKey(node: ParsedNode, props: YamlTokens): void {
    this.#mark(node, props);
    const collection = collectionOf(node);
    if (!collection) return;
    const muted = this.#muted;
    this.#muted = true;
    this.#push(collection, [], undefined);
    this.items(collection, true);
    this.#frames.pop();
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
