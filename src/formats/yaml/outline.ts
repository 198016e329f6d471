import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { Document, Entry, ScanOptions } from '../format.ts';
import type { YamlShape } from './messages.ts';
import type { BooleanKeys, RootKey } from './special-keys.ts';

/** The kind of an entry's value. `empty` is nothing or an explicit null, which a collection may replace. */
export type ValueKind = 'map' | 'sequence' | 'empty' | 'alias' | 'leaf';

export interface YamlEntry extends Entry {
  readonly children?: readonly YamlEntry[] | undefined;
  readonly kind: ValueKind | 'document';
  /** Whether the entry is in a flow collection. */
  readonly flow: boolean;
  /** Whether the entry is a sequence item. */
  readonly item: boolean;
  /** Whether only white space precedes the entry on its line. */
  readonly ownLine: boolean;
  /** The column of its first character without comments: of its key, anchor, tag or dash. */
  readonly column: number;
  readonly head: number;
  /** The offset after its key; for a sequence item the same as `head`. */
  readonly keyEnd: number;
  /** The value with anchor and tag; empty without a value. */
  readonly value: Span;
  /** The offset after the opening bracket, if its value is a flow collection. */
  readonly open?: number | undefined;
}

/** The kind of a value that a text may replace: older tools wrote `true` for an `on` that its program reads as text. */
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

/** The content of a file's only document. */
export interface Top {
  readonly kind: ValueKind;
  readonly open?: number | undefined;
}

/** The structure of a document that edits need. */
export interface YamlOutline {
  readonly entries: readonly YamlEntry[];
  readonly documents: number;
  /** The Rails root key, which the keys below it omit. */
  readonly root: YamlEntry | undefined;
  /** The top of the only document; undefined if there are several. */
  readonly top: Top | undefined;
  readonly anchors: readonly Mark[];
  readonly aliases: readonly Mark[];
  /** The ends of block scalars that include all blank lines after them. */
  readonly keeps: ReadonlySet<number>;
  /** The shape of the document's entries, if they have messages and notes. */
  readonly shape: YamlShape | undefined;
  readonly options: ScanOptions;
}

/** The structure of a document, in addition to its texts. */
export class YamlStructure {
  readonly root: RootKey | undefined;
  readonly booleanKeys: BooleanKeys;
  readonly hasAliases: boolean;
  readonly #read: () => YamlOutline;
  #outline: YamlOutline | undefined;

  /** @param read computes the outline on first use: few edits need it, and it takes more memory than the texts */
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

/** Whether a document is YAML without a Rails root key. */
export function hasNoRoot({ tree }: Document): boolean {
  return tree instanceof YamlStructure && !tree.root;
}

/** The boolean keys of a YAML document; undefined for other formats. */
export function booleanKeysOf({ tree }: Document): BooleanKeys | undefined {
  return tree instanceof YamlStructure ? tree.booleanKeys : undefined;
}

/** Every entry in the list, including nested ones, in file order. */
export function* allEntries(entries: readonly YamlEntry[]): Generator<YamlEntry> {
  for (const entry of entries) {
    yield entry;
    if (entry.children) yield* allEntries(entry.children);
  }
}

/** Ten times the limit for uploads: even files that share many parts through aliases are far smaller. */
const MAX_CHARACTERS = 100 * 1024 * 1024;

/**
 * Rejects a YAML file whose aliases expand to more than programs can hold in memory. Aliases are never expanded here,
 * but a translation of such a file would be passed on to others.
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
        `the file's aliases expand to more than ${MAX_CHARACTERS / 1024 / 1024} MB`,
      );
    }
  }
}
