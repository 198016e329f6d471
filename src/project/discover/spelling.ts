import { englishNameOf } from '../../languages/english-names.ts';
import { localeStyle, spellLocale, type LocaleStyle } from '../../languages/locale.ts';
import type { Convention } from './path-template.ts';

const STYLES: Readonly<Record<Convention, LocaleStyle>> = {
  android: 'android',
  apple: 'script',
  gettext: 'gettext',
  chrome: 'underscore',
  codeigniter: 'bcp47',
  underscore: 'underscore',
  dotnet: 'bcp47',
  vscode: 'lower-hyphen',
  none: 'bcp47',
};

const STRICT: ReadonlySet<Convention> = new Set(['android', 'apple', 'chrome', 'dotnet', 'vscode']);

export interface SpellingRules {
  /** Canonical code to spelling: the configuration's word is the last. */
  readonly locales?: ReadonlyMap<string, string> | undefined;
  readonly style?: LocaleStyle | undefined;
}

/** Spells locales for the files of one convention, given how the files of one set do. */
export type Speller = (convention: Convention, own: readonly string[]) => (locale: string) => string;

/**
 * Spells locales: as configured, else as the files of the same set do, else as the project's files do, else as the
 * convention wants it.
 *
 * @param all the spellings in the project
 */
export function makeSpeller(all: Iterable<string>, rules: SpellingRules): Speller {
  const distinct = [...new Set(all)];
  const styles = new Map<Convention, LocaleStyle>();
  const styleOf = (convention: Convention): LocaleStyle => {
    const custom = STYLES[convention];
    // These platforms look for names in their own spelling, even if the rest of the project spells locales
    // differently.
    const strict = STRICT.has(convention);
    const style = styles.get(convention) ?? (strict ? custom : localeStyle(distinct, custom));
    styles.set(convention, style);
    return style;
  };
  return (convention, own) => {
    if (convention === 'codeigniter') return (locale) => rules.locales?.get(locale) ?? englishNameOf(locale);
    let style = rules.style;
    return (locale) => {
      style ??= localeStyle(own, styleOf(convention));
      return rules.locales?.get(locale) ?? spellLocale(locale, style);
    };
  };
}
