import type { Document, DocumentWarning, Entry, Key, Slot } from './format.ts';
import { isRegion } from '../languages/locale.ts';
import { isPluralRule } from '../text/words.ts';
import { addTo } from '../base/map-of-lists.ts';

/** The tree, found during the scan. */
interface FoundTree {
  readonly text: string;
  readonly slots: readonly Slot[];
  readonly dialect: string;
  readonly locale?: string | undefined;
  readonly sourceLocale?: string | undefined;
  readonly hasOnlyTexts?: true | undefined;
  /** If this is a function, it finds the warnings when they are first read. */
  readonly warnings: readonly DocumentWarning[] | ((text: string) => readonly DocumentWarning[]);
}

/** @param readTree parses the text again: keeping the scan's data would double the size of a document */
export function makeDocument<Tree extends { readonly entries: readonly Entry[] }>(
  { warnings, slots, ...found }: FoundTree,
  readTree: (text: string) => Tree,
): Document<Tree> {
  const rules = slots.filter(({ value, source }) => source === undefined && isPluralRule(value));
  const excluded = new Set([...rules, ...countryCodesIn(slots)]);
  let tree: Tree | undefined;
  let known = typeof warnings === 'function' ? undefined : warnings;
  const document: Document<Tree> = {
    ...found,
    slots: excluded.size === 0 ? slots : slots.filter((slot) => !excluded.has(slot)),
    ...(rules.length > 0 && { pluralRules: rules }),
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

/** A shorter list may contain words: `AM` and `PM`, or Italian weekdays (`LU`, `MA`, `ME`, `GI`, `VE`, `SA`, `DO`). */
const FEWEST_CODES = 8;

/** The items of lists that only contain codes of countries, which a program compares. */
function countryCodesIn(slots: readonly Slot[]): readonly Slot[] {
  const isItem = ({ key, source }: Slot): boolean => source === undefined && /^\d+$/.test(key.at(-1) ?? '');
  const listOf = ({ key }: Slot): string => JSON.stringify(key.slice(0, -1));
  const lists = new Map<string, Slot[]>();
  for (const slot of slots)
    if (slot.value.length === 2 && isRegion(slot.value) && isItem(slot)) addTo(lists, listOf(slot), slot);
  for (const [id, items] of lists) if (items.length < FEWEST_CODES) lists.delete(id);
  if (lists.size > 0)
    for (const slot of slots) if (isItem(slot) && !isRegion(slot.value)) lists.delete(listOf(slot));
  return [...lists.values()].flat();
}

/** A copy of the document with some members replaced. Lazy members stay lazy. */
export function deriveDocument(
  document: Document,
  changes: Partial<Pick<Document, 'slots' | 'pending' | 'locale' | 'sourceLocale'>>,
): Document {
  const { text, slots, pluralRules, dialect, locale, sourceLocale, hasOnlyTexts } = document;
  return {
    text,
    slots,
    dialect,
    locale,
    sourceLocale,
    pluralRules,
    hasOnlyTexts,
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

/** Takes keys in file order and warns of each repeated one. */
export class DuplicateKeys {
  readonly warnings: DocumentWarning[] = [];
  readonly #seen = new Set<string>();

  add(key: Key, offset: number): void {
    const id = JSON.stringify(key);
    if (this.#seen.has(id)) this.warnings.push({ rule: 'duplicate-key', key, offset });
    this.#seen.add(id);
  }
}

/** Warns of slots that repeat the key of an earlier slot. */
export function duplicatesIn(slots: readonly Slot[]): readonly DocumentWarning[] {
  const keys = new DuplicateKeys();
  for (const { key, span } of slots) keys.add(key, span.start);
  return keys.warnings;
}
