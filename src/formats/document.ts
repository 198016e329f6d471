import type { Document, DocumentWarning, Entry, Key, Slot } from './format.ts';

/** What a scan found at once. */
interface FoundTree {
  readonly text: string;
  readonly slots: readonly Slot[];
  readonly dialect: string;
  readonly locale?: string | undefined;
  readonly sourceLocale?: string | undefined;
  /** Or what finds them when they are first asked for. */
  readonly warnings: readonly DocumentWarning[] | ((text: string) => readonly DocumentWarning[]);
}

/** @param readTree reads the text again: keeping what a scan read would double what a document holds */
export function makeDocument<Tree extends { readonly entries: readonly Entry[] }>(
  { warnings, ...found }: FoundTree,
  readTree: (text: string) => Tree,
): Document<Tree> {
  let tree: Tree | undefined;
  let known = typeof warnings === 'function' ? undefined : warnings;
  const document: Document<Tree> = {
    ...found,
    get tree() {
      return (tree ??= readTree(found.text));
    },
    get entries() {
      return document.tree.entries;
    },
    get warnings() {
      return (known ??= typeof warnings === 'function' ? warnings(found.text) : warnings);
    },
  };
  return document;
}

/** The same document in part. What is read only when it is asked for is not asked for here. */
export function deriveDocument(
  document: Document,
  changes: Partial<Pick<Document, 'slots' | 'pending'>>,
): Document {
  const { text, slots, dialect, locale, sourceLocale } = document;
  return {
    text,
    slots,
    dialect,
    locale,
    sourceLocale,
    ...changes,
    get entries() {
      return document.entries;
    },
    get tree() {
      return document.tree;
    },
    get warnings() {
      return document.warnings;
    },
  };
}

/** Gets keys in file order, and warns of each that it had before. */
export class DuplicateKeys {
  readonly warnings: DocumentWarning[] = [];
  readonly #seen = new Set<string>();

  add(key: Key, offset: number): void {
    const id = JSON.stringify(key);
    if (this.#seen.has(id)) this.warnings.push({ rule: 'duplicate-key', key, offset });
    this.#seen.add(id);
  }
}

/** Warns of slots with the key of an earlier one. */
export function duplicatesIn(slots: readonly Slot[]): readonly DocumentWarning[] {
  const keys = new DuplicateKeys();
  for (const { key, span } of slots) keys.add(key, span.start);
  return keys.warnings;
}
