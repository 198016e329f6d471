import {
  isPluralCategory,
  pluralCategories,
  pluralOrder,
  type PluralType,
  requiredCategories,
} from './plural.ts';

type Path = readonly string[];

/** The plural categories that a language needs. */
export interface PluralNeeds {
  /**
   * Categories for everyday whole numbers: without them, the program displays nothing, or a text in another language.
   */
  readonly everyday: readonly string[];
  /** Categories that only large or compact numbers select: `many` in Spanish. */
  readonly rare: readonly string[];
  /** Categories that a program looks up only if it lacks the language's rules, and that are otherwise harmless. */
  readonly spare?: readonly string[];
}

/** How a program looks up plural forms that are separate entries. */
interface PluralNotation {
  needsOf(locale: string, type: PluralType): PluralNeeds;
  /** The last name in the key of a category. */
  nameOf(stem: string, category: string, locale: string): string;
}

/** A key that is a plural form. */
export interface PluralKey {
  /** Identifies the plural: equal for all its forms, and never a key of a file. */
  readonly group: Path;
  /** The plural's key as a single text, if the program reads such a text in its place. */
  readonly single?: Path | undefined;
  readonly category: string;
  readonly type: PluralType;
  readonly stem: string;
  readonly notation: PluralNotation;
}

/** Finds the plural forms among the keys of a document, by index. */
export type FindPluralKeys = (
  keys: readonly Path[],
  locale: string | undefined,
) => ReadonlyMap<number, PluralKey>;

const cldrNeeds = (locale: string, type: PluralType): PluralNeeds => {
  const everyday = requiredCategories(locale, type);
  return { everyday, rare: pluralCategories(locale, type).filter((one) => !everyday.includes(one)) };
};

/**
 * The plural categories that only large, compact or fractional numbers select: a program displays `other` for them.
 *
 * @param form any form of the plural; undefined for a plural that CLDR's rules select from
 */
export function rareCategories(form: PluralKey | undefined, locale: string): readonly string[] {
  return (form?.notation ?? cldrMap).needsOf(locale, form?.type ?? 'cardinal').rare;
}

/** i18next since version 21: `item_one`, `place_ordinal_two`. */
const suffixed: PluralNotation = {
  needsOf: cldrNeeds,
  nameOf: (stem, category) => `${stem}_${category}`,
};

/**
 * The categories of the forms `_0`, `_1` … in i18next's older notation, for languages with forms other than singular
 * and plural.
 */
const NUMBERED: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['other', 'ay bo cgg fa ht id ja jbo ka km ko ky lo ms sah su th tt ug vi wo zh'],
    ['one few many', 'be bs cnr dz hr ru sr uk cs sk csb pl'],
    ['zero one two few many other', 'ar'],
    ['one two other many', 'cy'],
    ['one two few many other', 'ga'],
    ['one two few other', 'gd kw'],
    ['zero other', 'jv'],
    ['one few other', 'lt ro'],
    ['one other zero', 'lv'],
    ['zero one other', 'mnk'],
    ['one few many other', 'mt'],
    ['one other', 'or'],
    ['other one two few', 'sl'],
    ['one two many other', 'he iw'],
  ].flatMap(([categories = '', languages = '']) =>
    languages.split(' ').map((language) => [language, categories.split(' ')] as const),
  ),
);

const SIMPLE = ['one', 'other'];
const numbersOf = (locale: string): readonly string[] | undefined =>
  NUMBERED.get(locale.split('-', 1)[0] ?? '');

/** i18next before version 21: `item` and `item_plural`, or `item_0`, `item_1`, `item_2`. */
const numbered: PluralNotation = {
  needsOf: (locale) => ({ everyday: numbersOf(locale) ?? SIMPLE, rare: [] }),
  nameOf: (stem, category, locale) => {
    const numbers = numbersOf(locale);
    if (numbers) return `${stem}_${numbers.indexOf(category)}`;
    return category === 'one' ? stem : `${stem}_plural`;
  },
};

const isSuffix = (name: string): boolean => isPluralCategory(name) || /^(?:plural|[0-5])$/.test(name);

/** The plurals of i18next in both notations. */
export const i18nextPlurals: FindPluralKeys = (keys, locale) => {
  const numbers = locale === undefined ? undefined : numbersOf(locale);
  const groups = new Groups(keys);
  for (const [place, key] of keys.entries()) {
    // A regular expression would allocate four texts and a list for each of hundreds of thousands of keys.
    const name = key.at(-1) ?? '';
    const at = name.lastIndexOf('_');
    const suffix = name.slice(at + 1);
    if (at < 1 || !isSuffix(suffix)) continue;
    const stem = name.slice(0, at);
    const parent = key.slice(0, -1);
    const add = (of: number, category: string, notation: PluralNotation): void => {
      const type = notation === suffixed && stem.endsWith('_ordinal') ? 'ordinal' : 'cardinal';
      groups.add(of, { stem, parent, mark: '\0_', category, type, notation });
    };
    if (isPluralCategory(suffix)) add(place, suffix, suffixed);
    else if (suffix !== 'plural') {
      if (numbers) add(place, numbers[Number(suffix)] ?? '', numbered);
    } else {
      const one = numbers ? undefined : groups.placeOf([...parent, stem]);
      if (one === undefined) continue;
      add(one, 'one', numbered);
      add(place, 'other', numbered);
    }
  }
  return groups.having((categories, notation) =>
    notation === suffixed
      ? categories.includes('other') && (categories.length > 1 || isOnlyForm(locale))
      : categories.length === (numbers?.length ?? SIMPLE.length) && !categories.includes(''),
  );
};

function isOnlyForm(locale: string | undefined): boolean {
  return locale !== undefined && requiredCategories(locale).length === 1;
}

/** Plural rules of rails-i18n that differ from CLDR. */
const RAILS: ReadonlyMap<string, readonly string[]> = new Map(
  ['az', 'fa', 'kn', 'pap', 'yue']
    .map((language): readonly [string, readonly string[]] => [language, ['other']])
    .concat(['he', 'iw', 'lv'].map((language) => [language, SIMPLE])),
);

/** Ruby's I18n: a map of forms. Without rules for a language it looks up `one` and `other`. */
const rubyMap: PluralNotation = {
  needsOf: (locale) => {
    const everyday = RAILS.get(locale.split('-', 1)[0] ?? '') ?? requiredCategories(locale);
    return { everyday, rare: [], spare: SIMPLE.filter((category) => !everyday.includes(category)) };
  },
  nameOf: (_stem, category) => category,
};

/** go-i18n and Hugo: a map of forms. */
const cldrMap: PluralNotation = { needsOf: cldrNeeds, nameOf: (_stem, category) => category };

/** inlang's message format, which paraglide compiles: `countPlural=one` in a map `match`. */
const matched: PluralNotation = { needsOf: cldrNeeds, nameOf: (stem, category) => `${stem}=${category}` };

export const inlangPlurals: FindPluralKeys = (keys) => {
  const groups = new Groups(keys);
  const others = new Set<string>();
  for (const [place, key] of keys.entries()) {
    const [, stem, category = ''] = /^(\w+)=(\w+|\*)$/.exec(key.at(-1) ?? '') ?? [];
    if (stem === undefined || key.at(-2) !== 'match') continue;
    const parent = key.slice(0, -1);
    // A selection by values other than numbers, or by an exact number.
    if (!isPluralCategory(category)) others.add(JSON.stringify([...parent, stem, '\0=']));
    else groups.add(place, { parent, stem, mark: '\0=', category, type: 'cardinal', notation: matched });
  }
  return groups.having(
    (categories, _notation, { group }) =>
      categories.includes('other') && categories.length > 1 && !others.has(JSON.stringify(group)),
  );
};

export const rubyPlurals: FindPluralKeys = (keys) => findMaps(keys, rubyMap);
export const goPlurals: FindPluralKeys = (keys) => findMaps(keys, cldrMap);

/** Maps that only consist of forms, including `other`. */
function findMaps(keys: readonly Path[], notation: PluralNotation): ReadonlyMap<number, PluralKey> {
  const groups = new Groups(keys);
  const mixed = new Set<string>();
  for (const [place, key] of keys.entries()) {
    const category = key.at(-1) ?? '';
    const parent = key.slice(0, -1);
    const single = parent.length > 0 ? parent : undefined;
    if (single && isPluralCategory(category))
      groups.add(place, { parent, stem: '', mark: '\0', single, category, type: 'cardinal', notation });
    else mixed.add(JSON.stringify(parent));
  }
  return groups.having(
    (categories, _notation, { single }) =>
      categories.includes('other') && categories.length > 1 && !mixed.has(JSON.stringify(single)),
  );
}

interface Candidate extends Omit<PluralKey, 'group'> {
  readonly parent: Path;
  /** The end of the group's key. Other keys never have it. */
  readonly mark: string;
}

/** A short list takes a fifth of the memory of a growing array. */
interface FoundForm {
  readonly place: number;
  readonly form: PluralKey;
  readonly before: FoundForm | undefined;
}

/** Keys that may be forms, grouped by plural. */
class Groups {
  readonly #keys: readonly Path[];
  readonly #groups = new Map<string, FoundForm>();
  #places: ReadonlyMap<string, number> | undefined;

  constructor(keys: readonly Path[]) {
    this.#keys = keys;
  }

  placeOf(key: Path): number | undefined {
    this.#places ??= new Map(this.#keys.map((one, place) => [JSON.stringify(one), place]));
    return this.#places.get(JSON.stringify(key));
  }

  add(place: number, { parent, mark, single, category, type, stem, notation }: Candidate): void {
    const name = parent.length === 0 ? stem : JSON.stringify([...parent, stem]);
    const id = `${notation === numbered ? 'numbered' : ''}${parent.length}${mark}${name}`;
    const before = this.#groups.get(id);
    // Hundreds of thousands of forms share the key of their group.
    const group = before?.form.group ?? (stem === '' ? [...parent, mark] : [...parent, stem, mark]);
    const form = { group, single, category, type, stem: before?.form.stem ?? stem, notation };
    this.#groups.set(id, { place, form, before });
  }

  having(
    accepts: (categories: readonly string[], notation: PluralNotation, form: PluralKey) => boolean,
  ): ReadonlyMap<number, PluralKey> {
    const found = new Map<number, PluralKey>();
    for (const last of this.#groups.values()) {
      const forms: FoundForm[] = [];
      for (let one: FoundForm | undefined = last; one; one = one.before) forms.push(one);
      const categories = [...new Set(forms.map(({ form }) => form.category))];
      if (!accepts(categories, last.form.notation, last.form)) continue;
      for (const { place, form } of forms.reverse()) found.set(place, form);
    }
    return found;
  }
}

/** How the forms of a plural change for a language. */
export interface PluralChange {
  /** Forms to keep, with the last names of their keys. */
  readonly renamed: ReadonlyMap<number, string>;
  readonly removed: readonly number[];
  /** Forms to add, in CLDR's order, as copies of one that is kept. */
  readonly added: readonly { readonly name: string; readonly model: number }[];
}

/**
 * The forms of a source's plural in another language: those that its program looks up there, and `zero`, which most
 * programs look up for the number 0 in every language.
 *
 * @param forms by index
 * @param standing the names that a translation already has: an existing plural gets no forms for rare numbers
 */
export function adaptPlural(
  forms: ReadonlyMap<number, PluralKey>,
  locale: string,
  standing: (name: string) => boolean,
): PluralChange {
  const [first] = forms.values();
  const renamed = new Map<number, string>();
  if (!first) return { renamed, removed: [], added: [] };
  const { notation, type, stem } = first;
  const nameOf = (category: string): string => {
    const name = notation.nameOf(stem, category, locale);
    // i18next falls back to the key itself, and a language with one form does not need a second one.
    const isAlone = notation === numbered && numbersOf(locale)?.length === 1 && !standing(name);
    return isAlone && standing(stem) ? stem : name;
  };
  const { everyday, rare, spare = [] } = notation.needsOf(locale, type);
  const stands = (category: string): boolean => standing(nameOf(category));
  const isNew = ![...everyday, ...rare, ...spare].some(stands);
  const wanted = [...everyday, ...[...rare, ...spare].filter((category) => isNew || stands(category))];
  const has = (category: string): boolean => [...forms.values()].some((form) => form.category === category);
  const isKept = (category: string): boolean =>
    wanted.includes(category) || (category === 'zero' && notation !== numbered);
  const missing = wanted.filter((category) => !has(category));
  const removed: number[] = [];
  let model = -1;
  for (const [place, { category }] of forms) {
    const now = isKept(category) ? category : notation === numbered ? missing.pop() : undefined;
    if (now === undefined) {
      removed.push(place);
      continue;
    }
    renamed.set(place, nameOf(now));
    if (model < 0 || category === 'other') model = place;
  }
  const added = missing
    .toSorted((a, b) => pluralOrder(a) - pluralOrder(b))
    .map((category) => ({ name: nameOf(category), model }));
  return { renamed, removed, added: model < 0 ? [] : added };
}
