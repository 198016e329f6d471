import { localeStyle, spellLocale, type LocaleStyle } from '../languages/locale.ts';
import type { Convention } from './template.ts';

const STYLES: Readonly<Record<Convention, LocaleStyle>> = {
  android: 'android',
  apple: 'script',
  gettext: 'gettext',
  chrome: 'underscore',
  underscore: 'underscore',
  none: 'bcp47',
};

export interface SpellingRules {
  /** Canonical code to spelling: the configuration's word is the last. */
  readonly locales?: ReadonlyMap<string, string> | undefined;
  readonly style?: LocaleStyle | undefined;
}

/**
 * Spells locales for one set of files: as configured, else as its own files do, else as the project's files of the
 * same convention do, else as the convention wants it.
 */
export function spellerFor(
  convention: Convention,
  own: readonly string[],
  others: readonly string[],
  rules: SpellingRules,
): (locale: string) => string {
  const custom = STYLES[convention];
  // Android and Apple look their directories up by name: there, what the rest of the project does is no argument.
  const strict = convention === 'android' || convention === 'apple' || convention === 'chrome';
  const style = rules.style ?? localeStyle(own, strict ? custom : localeStyle(others, custom));
  return (locale) => rules.locales?.get(locale) ?? spellLocale(locale, style);
}
