import type { Document, Key, PluralForm } from '../../formats/format.ts';
import { keyId } from '../../documents/localization/pairing.ts';

const CATEGORY = /^(?:zero|one|two|few|many|other)$/;
/** i18next: `item_few`, `place_ordinal_few`; in its older notation `item_plural`, `item_2`. */
const SUFFIXED = /^(.+?)_(?:zero|one|two|few|many|other|plural|[0-5])$/s;

/**
 * Recognises the plural forms that a translator adds because the target's language has them and the source's does not:
 * keys of their own in i18next (`item_few` beside `item_other`) and Rails (`few:` beside `other:`), and forms of a
 * plural element elsewhere.
 *
 * @param expected what the target should have: a scan of the skeleton
 * @returns whether a key of the target that is not expected belongs to an expected plural and its form exists in the
 * locale.
 */
export function pluralSiblings(
  expected: Document,
  locale: string,
): (slot: Document['slots'][number]) => boolean {
  // `zero` is allowed everywhere: i18next, Rails and Android look it up for 0 in any language.
  const categories = new Set([...new Intl.PluralRules(locale).resolvedOptions().pluralCategories, 'zero']);
  const groups = new Set<string>();
  for (const { key, plural } of expected.slots) {
    const group = plural?.group ?? siblingForm(key)?.group;
    if (group) groups.add(keyId(group));
  }
  return ({ key, plural }) => {
    const form = plural ?? siblingForm(key);
    return form !== undefined && groups.has(keyId(form.group)) && categories.has(form.category);
  };
}

/** The plural that a key belongs to by its name alone. Its group is no key: only good to compare with others. */
export function siblingForm(key: Key): PluralForm | undefined {
  const name = key.at(-1) ?? '';
  const parent = key.slice(0, -1);
  // The groups of the two notations are told apart by a last segment that no key of a file has.
  if (CATEGORY.test(name) && parent.length > 0) return { group: [...parent, '\0'], category: name };
  const stem = SUFFIXED.exec(name)?.[1];
  if (stem === undefined) return undefined;
  const suffix = name.slice(stem.length + 1);
  return { group: [...parent, stem, '\0_'], category: CATEGORY.test(suffix) ? suffix : 'other' };
}
