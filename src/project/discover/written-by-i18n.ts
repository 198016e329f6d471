import { join } from 'node:path';
import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import { readHead } from '../../base/file-head.ts';
import { pathsOf } from './layout.ts';
import { isWord } from './path-language.ts';
import type { SourcedSet } from './source-choice.ts';

const LIMIT = 1 << 20;

/**
 * What `dragoman i18n` wrote beside its sources: `en_es.json` beside `en.json`, `common_es.json` beside `common.json`
 * (not `messages_es.properties`, which Java looks for).
 *
 * @param wished targets that the user names: `en_ca.json` is Canadian English where en-CA is one of them
 */
export function findWrittenByI18n(
  root: string,
  paths: readonly string[],
  sets: readonly SourcedSet[],
  sourceLocale: string,
  wished: readonly string[],
): ReadonlySet<string> {
  // Most projects have no such name at all.
  const candidates = paths.filter((path) => path.lastIndexOf('_') > path.lastIndexOf('/') + 1);
  if (candidates.length === 0) return new Set();
  const bySource = new Map(sets.map((set) => [set.source, set]));
  const members = new Map<string, string | undefined>();
  for (const set of sets) {
    for (const [locale, { path }] of set.members) {
      // Beside a base file, `messages_en.properties` is called as the platform wants it.
      if (path !== set.source) members.set(path, set.base === undefined ? locale : undefined);
    }
  }
  return new Set(
    candidates.filter((path) => {
      const { origin, code } = originOf(path) ?? { origin: '', code: '' };
      if (!bySource.has(origin)) return false;
      const own = bySource.get(path);
      // With translations of its own, it is a namespace that happens to be called so.
      if (own && pathsOf(own).some((other) => other !== path)) return false;
      if (own) return !isWord(code) || linesOf(root, path) === linesOf(root, origin);
      if (!members.has(path)) return true;
      const locale = members.get(path);
      return locale !== undefined && sameLanguage(locale, sourceLocale) && !wished.includes(locale);
    }),
  );
}

/** What `i18n` would have made this file of, by its name. It spells languages canonically. */
function originOf(path: string): { readonly origin: string; readonly code: string } | undefined {
  const match = /^(.*[^/])_([^/_.]+)(\.[^./]+)$/.exec(path);
  const [, stem = '', code = '', extension = ''] = match ?? [];
  return match && parseLocale(code) === code ? { origin: stem + extension, code } : undefined;
}

/** `go_to.json` beside `go.json` is Tongan only if it has as many lines: a translation keeps them. */
function linesOf(root: string, path: string): number | undefined {
  return readHead(join(root, path), LIMIT)?.text.split('\n').length;
}
