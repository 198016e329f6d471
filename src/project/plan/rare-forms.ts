import { keyId } from '../../documents/localization/pairing.ts';
import type { Document, PluralForm, Slot } from '../../formats/format.ts';
import { everydayCategories } from '../../text/plural.ts';
import { rareCategories } from '../../text/plural-keys.ts';

/** A key of the skeleton, which is the source as an untranslated file of the target language. */
interface WantedKey {
  readonly category?: string | undefined;
  readonly entry: string;
}

/**
 * Whether a key is a plural form used only for large, compact or fractional numbers, in a plural whose target lacks it.
 * Programs then show the form `other`, so nothing is missing.
 */
export function rareFormsWithout(target: Document, locale: string): (wanted: WantedKey) => boolean {
  const rare = rareCategories(undefined, locale);
  // In Russian, whole numbers select `one`, `few` and `many`.
  const isOtherRare = !everydayCategories(locale).includes('other');
  let plurals: ReadonlyMap<string, PluralForm | undefined> | undefined;
  return ({ category, entry }) => {
    const isFraction = isOtherRare && category === 'other';
    if (category === undefined || !(isFraction || rare.includes(category))) return false;
    plurals ??= new Map(
      target.slots.filter(isFreeForm).map(({ plural, key }) => [keyId(plural?.group ?? key), plural]),
    );
    return isFraction ? plurals.get(entry)?.isOfWholeNumbers === true : plurals.has(entry);
  };
}

/** Whether the forms of a plural follow the language rather than a catalogue's own rule. */
function isFreeForm({ plural }: Slot): boolean {
  return plural !== undefined && plural.sources === undefined;
}

interface ComparedFile {
  readonly existing: { readonly document: Document } | undefined;
  readonly expected: { readonly keys: readonly WantedKey[] };
  readonly locale: string;
}

/** The plurals of a target that lack such forms, by their last form. */
export function pluralsWithoutRareForms({ existing, expected, locale }: ComparedFile): readonly Slot[] {
  // Most files have no plurals, so their document need not be read.
  if (expected.keys.every(({ category }) => category === undefined)) return [];
  const plurals = new Map<string, { readonly last: Slot; readonly categories: readonly string[] }>();
  for (const slot of existing?.document.slots ?? []) {
    const { category = '', group } = slot.plural ?? {};
    if (!isFreeForm(slot)) continue;
    const id = keyId(group ?? slot.key);
    const { categories = [] } = plurals.get(id) ?? {};
    plurals.set(id, { last: slot, categories: [...categories, category] });
  }
  const entries = new Set(expected.keys.map(({ entry }) => entry));
  return [...plurals].flatMap(([id, { last, categories }]) => {
    const rare = rareCategories(last.plural?.entry, locale);
    const isWhole = categories.length < 2 || rare.every((category) => categories.includes(category));
    return isWhole || !entries.has(id) ? [] : last;
  });
}
