import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { Document, Entry, ScanOptions } from '../format.ts';
import type { YamlShape } from './messages.ts';
import type { BooleanKeys, RootKey } from './special-keys.ts';

/** What stands at an entry's value. `empty` is nothing at all or an explicit null: a place for a collection. */
export type ValueKind = 'map' | 'sequence' | 'empty' | 'alias' | 'leaf';

export interface YamlEntry extends Entry {
  readonly children?: readonly YamlEntry[] | undefined;
  readonly kind: ValueKind | 'document';
  /** It stands in a flow collection. */
  readonly flow: boolean;
  /** A sequence item. */
  readonly item: boolean;
  /** Nothing but white space stands before it on its line. */
  readonly ownLine: boolean;
  /** Of its first character, the comments above it not counted: of its key, anchor, tag or dash. */
  readonly column: number;
  readonly head: number;
  /** Behind its key; for a sequence item the same as `head`. */
  readonly keyEnd: number;
  /** Value with anchor and tag. Empty at the place for a value where there is none. */
  readonly value: Span;
  /** Behind the opening bracket of a flow collection that is its value. */
  readonly open?: number | undefined;
}

/** What stands in the place of a text: older tools have written `true` for an `on` that its program keeps as a text. */
export function noTextOf(
  kind: YamlEntry['kind'],
  isWhole: boolean,
  raw: string,
  messages: ScanOptions['messages'],
): Entry['noText'] {
  const isLost = messages?.hasPlainWords === true && /^(?:true|false)$/.test(raw);
  return kind === 'empty' || isLost ? 'null' : isWhole ? 'value' : undefined;
}

/** An anchor or an alias, in the order of the file. */
export interface Mark {
  readonly name: string;
  readonly span: Span;
  readonly document: number;
}

/** What the only document of a file consists of. */
export interface Top {
  readonly kind: ValueKind;
  readonly open?: number | undefined;
}

/** What the edits of a document's structure need to know. */
export interface YamlOutline {
  readonly entries: readonly YamlEntry[];
  readonly documents: number;
  /** The Rails root key, left out of all keys. */
  readonly root: YamlEntry | undefined;
  /** Undefined when there are several documents. */
  readonly top: Top | undefined;
  readonly anchors: readonly Mark[];
  readonly aliases: readonly Mark[];
  /** Where block scalars end that take in all blank lines behind them. */
  readonly keeps: ReadonlySet<number>;
  /** What the entries of the document consist of, if they have messages and notes. */
  readonly shape: YamlShape | undefined;
  /** What the document was scanned with. */
  readonly options: ScanOptions;
}

/** What is known of a document beyond its texts. */
export class YamlStructure {
  readonly root: RootKey | undefined;
  readonly booleanKeys: BooleanKeys;
  readonly hasAliases: boolean;
  readonly #read: () => YamlOutline;
  #outline: YamlOutline | undefined;

  /** @param read reads the outline when it is first asked for: few edits need it, and it takes more room than the texts */
  constructor(
    root: RootKey | undefined,
    booleanKeys: BooleanKeys,
    hasAliases: boolean,
    read: () => YamlOutline,
  ) {
    this.root = root;
    this.booleanKeys = booleanKeys;
    this.hasAliases = hasAliases;
    this.#read = read;
  }

  get outline(): YamlOutline {
    return (this.#outline ??= this.#read());
  }

  get entries(): readonly YamlEntry[] {
    return this.outline.entries;
  }
}

export type YamlDocument = Document<YamlStructure>;

/** Whether this is a document of this format without a Rails root key. */
export function hasNoRoot({ tree }: Document): boolean {
  return tree instanceof YamlStructure && !tree.root;
}

/** Of a document of any format. */
export function booleanKeysOf({ tree }: Document): BooleanKeys | undefined {
  return tree instanceof YamlStructure ? tree.booleanKeys : undefined;
}

/** Every entry of the list and inside it, in file order. */
export function* allEntries(entries: readonly YamlEntry[]): Generator<YamlEntry> {
  for (const entry of entries) {
    yield entry;
    if (entry.children) yield* allEntries(entry.children);
  }
}

/** Ten times what an upload can have: files that share a lot by aliases stay far below. */
const MAX_CHARACTERS = 100 * 1024 * 1024;

/**
 * Refuses a YAML file whose aliases stand for so much that programs which load it run out of memory. Aliases are never
 * expanded here; but nobody needs a translation of such a file, and it would be handed out to others.
 *
 * @throws DragomanError `limit_exceeded`
 */
export function requireBoundedAliases(document: YamlDocument): void {
  if (!document.tree.hasAliases) return;
  const { aliases, anchors, entries } = document.tree.outline;
  const ends = new Map([...allEntries(entries)].map(({ value }) => [value.start, value.end]));
  const sizes = new Map<string, number>();
  const open: { readonly id: string; readonly mark: Mark; readonly end: number; size: number }[] = [];
  let total = 0;
  const close = (until: number): void => {
    for (let last = open.at(-1); last && last.end <= until; last = open.at(-1)) {
      open.pop();
      sizes.set(last.id, last.end - last.mark.span.start + last.size);
    }
  };
  const marks = anchors.map((mark) => ({ mark, isAlias: false }));
  for (const mark of aliases) marks.push({ mark, isAlias: true });
  for (const { mark, isAlias } of marks.sort((a, b) => a.mark.span.start - b.mark.span.start)) {
    close(mark.span.start);
    const id = `${mark.document} ${mark.name}`;
    if (!isAlias) {
      const end = ends.get(mark.span.start) ?? mark.span.end;
      open.push({ id, mark, end, size: 0 });
      continue;
    }
    const size = sizes.get(id) ?? 0;
    total += size;
    for (const around of open) around.size += size;
    if (total > MAX_CHARACTERS) {
      throw new DragomanError(
        'limit_exceeded',
        `the aliases of the file stand for more than ${MAX_CHARACTERS / 1024 / 1024} MB`,
      );
    }
  }
}
