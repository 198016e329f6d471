import { languageOf, sameLanguage } from '../../languages/locale.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Resource } from '../discover/resource.ts';

/**
 * A language that was asked for, and the only region of it that files have, `es` where there is `es_ES.ts`, or that
 * programs look for, `cy` where a mod has to have `cy_gb.json`.
 */
export interface ImpliedRegion {
  /** Canonical, without a region. */
  readonly locale: string;
  /** Canonical; undefined where no region is sure, and programs may not look for the file. */
  readonly region: string | undefined;
  /** A file in it, relative to the root. */
  readonly path: string;
}

/** The files of a resource in a language and in regions of it, by canonical code. */
function relativesOf({ existing, sourceLocale }: Resource, locale: string): ReadonlyMap<string, string> {
  return new Map([...existing].filter(([code]) => code !== sourceLocale && isRegionOf(code, locale)));
}

function isRegionOf(code: string, locale: string): boolean {
  return languageOf(code) === locale && sameLanguage(code, locale);
}

/**
 * The regions that plain codes mean: where a source has a file in one region of a language and none in the language
 * itself, that file is the translation; where programs only know countries, the one that they know is meant. Programs would
 * look for a second one first or never, and its texts would be missing in one of them.
 *
 * @param wanted canonical, named for this run
 * @param known the targets of the lock: there, a plain code without a region is impliedRegions as it is
 */
export function impliedRegions(
  resources: readonly Resource[],
  wanted: readonly string[],
  known: readonly string[],
  { targets: configured = [], locales: spellings }: Configuration,
): readonly ImpliedRegion[] {
  return wanted.flatMap((locale) => {
    if (locale !== languageOf(locale) || spellings?.has(locale) === true) return [];
    const hasRegion = (codes: readonly string[]): boolean =>
      codes.some((code) => code !== locale && isRegionOf(code, locale));
    // A user who names both wants both.
    if (hasRegion(wanted) || (configured.includes(locale) && hasRegion(configured))) return [];
    if (known.includes(locale) && !hasRegion(known)) return [];
    const all = resources.map((resource) => relativesOf(resource, locale));
    if (all.some((relatives) => relatives.size > 1 && relatives.has(locale))) return [];
    const lone = new Map<string | undefined, string>();
    for (const relatives of all) {
      const [only] = relatives;
      if (only && relatives.size === 1 && only[0] !== locale && !lone.has(only[0])) lone.set(...only);
    }
    const strict = resources.find((one, i) => one.regionOf && all[i]?.size === 0);
    if (strict && lone.size === 0) {
      const region = strict.regionOf?.(locale);
      if (region !== locale) lone.set(region, strict.targetPath(region ?? locale));
    }
    return [...lone].map(([region, path]) => ({ locale, region, path }));
  });
}

/** The targets with regions instead of the codes that mean them, or beside them where other files are in these. */
export function withRegions(
  targets: readonly string[],
  impliedRegions: readonly ImpliedRegion[],
  resources: readonly Resource[],
): readonly string[] {
  const isReplaced = (locale: string, regions: readonly string[]): boolean =>
    regions.length === 1 && !resources.some(({ existing }) => existing.has(locale));
  return targets.flatMap((locale) => {
    const regions = impliedRegions.flatMap((one) => (one.locale === locale ? (one.region ?? []) : []));
    return isReplaced(locale, regions) ? regions : [locale, ...regions];
  });
}

/**
 * The targets for a configuration: a language, without its only region, where some sources have files in the one and some
 * in the other. Who names both wants both of each source.
 */
export function targetsToName(targets: readonly string[], resources: readonly Resource[]): readonly string[] {
  return targets.filter((region) => {
    const language = languageOf(region);
    const regions = targets.filter((code) => code !== language && isRegionOf(code, language));
    return (
      !targets.includes(language) ||
      regions.length !== 1 ||
      regions[0] !== region ||
      resources.some(({ existing }) => existing.has(language) && existing.has(region))
    );
  });
}

/**
 * Whether a source has, or gets, a file in a language rather than in a region of it that is another target: one of the two
 * where no source has both.
 *
 * @param requested the targets that flag and configuration name
 */
export function coverRegions(
  resources: readonly Resource[],
  targets: readonly string[],
  requested: ReadonlySet<string>,
): ((resource: Resource, locale: string) => boolean) | undefined {
  const pairs = targets.flatMap((locale) =>
    targets
      .filter((region) => region !== locale && locale === languageOf(locale) && isRegionOf(region, locale))
      .filter((region) => !(requested.has(locale) && requested.has(region)))
      .filter((region) => !resources.some(({ existing }) => existing.has(locale) && existing.has(region)))
      .map((region) => ({ locale, region })),
  );
  if (pairs.length === 0) return undefined;
  return ({ existing }, code) =>
    pairs.every(({ locale, region }) => {
      if (code === region) return existing.has(region);
      return code !== locale || !existing.has(region);
    });
}
