import type { Layout } from '../../frameworks/layout.ts';
import { localeStyle, type LocaleStyle, parseLocale, spellLocale } from '../../languages/locale.ts';

export interface SpellingRules {
  /** From canonical code to spelling; the configuration takes precedence. */
  readonly locales?: ReadonlyMap<string, string> | undefined;
  readonly style?: LocaleStyle | undefined;
}

/** Spells locales for files of one layout, in the style of the set's existing files. */
export type Speller = (layout: Layout, own: readonly string[]) => (locale: string) => string;

/** The spellings in the paths of a set's files, by canonical locale. */
export interface SpelledSet {
  readonly layout: Layout;
  readonly members: ReadonlyMap<string, { readonly spelling: string }>;
}

/**
 * Spells locales as configured, otherwise like the files of the same set, otherwise like the project's files, otherwise
 * as the layout requires.
 *
 * @param all the sets of the project
 */
export function makeSpeller(all: readonly SpelledSet[], rules: SpellingRules): Speller {
  const spellings = all.flatMap(({ members }) => [...members.values()].map(({ spelling }) => spelling));
  const distinct = [...new Set(spellings)].filter((spelling) => !isOneWord(spelling));
  const styles = new Map<Layout, LocaleStyle>();
  const styleOf = (layout: Layout): LocaleStyle => {
    const known = styles.get(layout);
    const style = known ?? (layout.isStrict === true ? layout.style : localeStyle(distinct, layout.style));
    styles.set(layout, style);
    return style;
  };
  const shared = rules.style === undefined ? sharedSpellings(all) : undefined;
  return (layout, own) => {
    const separators = new Set(own.flatMap((spelling) => separatorIn(spelling) ?? []));
    const sharedOf = (locale: string): string | undefined => {
      const spelling = shared?.get(layout)?.get(locale);
      const separator = separatorIn(spelling ?? '');
      return separator === undefined || separators.size === 0 || separators.has(separator)
        ? spelling
        : undefined;
    };
    let style = rules.style;
    const isInCapitals = own.length > 1 && own.every((spelling) => /^[^a-z]+$/.test(spelling));
    return (locale) => {
      style ??= localeStyle(own, styleOf(layout));
      const spelling = layout.names?.spell(locale, style, own) ?? spellLocale(locale, style);
      return (
        rules.locales?.get(locale) ??
        sharedOf(locale) ??
        (isInCapitals && layout.isStrict !== true ? spelling.toUpperCase() : spelling)
      );
    };
  };
}

/**
 * The spelling of each language in the sets of a layout, if they all agree. Its style may differ from that of most
 * languages: `zh_Hans` next to `pt_BR`. Undefined for a language that they spell in several ways.
 */
function sharedSpellings(all: readonly SpelledSet[]): ReadonlyMap<Layout, Map<string, string | undefined>> {
  const shared = new Map<Layout, Map<string, string | undefined>>();
  for (const { layout, members } of all) {
    const known = shared.get(layout) ?? new Map<string, string | undefined>();
    shared.set(layout, known);
    for (const [locale, { spelling }] of members) {
      if (known.has(locale)) {
        if (known.get(locale) !== spelling) known.set(locale, undefined);
      } else if (!isOneWord(spelling) && parseLocale(spelling) === locale) known.set(locale, spelling);
    }
  }
  return shared;
}

/** Few programs read codes in one word, so `enUS.ts` does not show how to name a `.po` file. */
const isOneWord = (spelling: string): boolean => /^[a-z]{2}[A-Za-z]{2}$/.test(spelling);

const separatorIn = (spelling: string): string | undefined => /[^A-Za-z\d]/.exec(spelling)?.[0];
