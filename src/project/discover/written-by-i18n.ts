import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import { pathsOf } from './layout.ts';
import type { SourcedSet } from './source-choice.ts';

/**
 * What `dragoman i18n` wrote beside its sources: `en_es.json` beside `en.json`, `common_es.json` beside `common.json`
 * (not `messages_es.properties`, which Java looks for).
 *
 * @param wished targets that the user names: `en_ca.json` is Canadian English where en-CA is one of them
 */
export function findWrittenByI18n(
  paths: readonly string[],
  sets: readonly SourcedSet[],
  sourceLocale: string,
  wished: readonly string[],
): ReadonlySet<string> {
  const bySource = new Map(sets.map((set) => [set.source, set]));
  const locales = new Map<string, string>();
  for (const set of sets) {
    for (const [locale, { path }] of set.members) if (path !== set.source) locales.set(path, locale);
  }
  return new Set(
    paths.filter((path) => {
      const origin = originOf(path);
      if (origin === undefined || !bySource.has(origin)) return false;
      const own = bySource.get(path);
      // With translations of its own, it is a namespace that happens to be called so.
      if (own) return pathsOf(own).every((other) => other === path);
      const locale = locales.get(path);
      if (locale === undefined) return true;
      return sameLanguage(locale, sourceLocale) && !wished.includes(locale);
    }),
  );
}

/** What `i18n` would have made this file of, by its name. It spells languages canonically. */
function originOf(path: string): string | undefined {
  const match = /^(.*[^/])_([^/_.]+)(\.[^./]+)$/.exec(path);
  const [, stem = '', code = '', extension = ''] = match ?? [];
  return match && parseLocale(code) === code ? stem + extension : undefined;
}
