import { DragomanError } from '../../base/errors.ts';
import { languageOf, sameLanguage } from '../../languages/locale.ts';
import type { Resource } from './resource.ts';

/**
 * Refuses a language that has no file while one region of it has: `es` where there is only `es-ES` is more often a
 * mistake than a second Spanish.
 *
 * @param wished canonical, named for this run
 * @param known the targets that configuration and lock name
 * @throws DragomanError `configuration` that names the region.
 */
export function requireIntendedTargets(
  resources: readonly Resource[],
  wished: readonly string[],
  known: readonly string[],
): void {
  for (const locale of wished) {
    if (known.includes(locale) || locale !== languageOf(locale)) continue;
    const related = new Map<string, string>();
    for (const { existing, sourceLocale } of resources) {
      for (const [code, path] of existing) {
        const isRelated = languageOf(code) === locale && sameLanguage(code, locale) && code !== sourceLocale;
        if (isRelated && !related.has(code)) related.set(code, path);
      }
    }
    const [only] = related;
    if (only === undefined || related.size > 1 || related.has(locale)) continue;
    const [code, path] = only;
    throw new DragomanError('configuration', `no file is in ${locale}, but ${path} is in ${code}`, {
      hint: `Use -t ${code}. To have ${locale} beside it, name both under \`targets\` in the configuration.`,
    });
  }
}
