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
  const members = new Map<string, string | undefined>();
  for (const set of sets) {
    for (const [locale, { path }] of set.members) {
      // Beside a base file, `messages_en.properties` is called as the platform wants it.
      if (path !== set.source) members.set(path, set.base === undefined ? locale : undefined);
    }
  }
  return new Set(
    paths.filter((path) => {
      const origin = originOf(path);
      if (origin === undefined || !bySource.has(origin)) return false;
      const own = bySource.get(path);
      // With translations of its own, it is a namespace that happens to be called so.
      if (own) return pathsOf(own).every((other) => other === path);
      if (!members.has(path)) return true;
      const locale = members.get(path);
      return locale !== undefined && sameLanguage(locale, sourceLocale) && !wished.includes(locale);
    }),
  );
}

/** What `i18n` would have made this file of, by its name. It spells languages canonically. */
function originOf(path: string): string | undefined {
  const match = /^(.*[^/])_([^/_.]+)(\.[^./]+)$/.exec(path);
  const [, stem = '', code = '', extension = ''] = match ?? [];
  return match && parseLocale(code) === code ? stem + extension : undefined;
}
