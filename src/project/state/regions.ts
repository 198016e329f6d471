import { languageOf, sameLanguage } from '../../languages/locale.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Resource } from '../discover/resource.ts';

/**
 * A requested language, and the only region in which files exist (`es` if there is `es_ES.ts`) or for which programs
 * look (`cy` if a mod needs `cy_gb.json`).
 */
export interface ImpliedRegion {
  /** Canonical, without a region. */
  readonly locale: string;
  /** Canonical; undefined if no region is certain, in which case programs might not look for the file. */
  readonly region: string | undefined;
  /** A file in that region, relative to the root. */
  readonly path: string;
}

/** The files of a resource in a language and its regions, by canonical code. */
function relativesOf({ existing, sourceLocale }: Resource, locale: string): ReadonlyMap<string, string> {
  return new Map([...existing].filter(([code]) => code !== sourceLocale && isRegionOf(code, locale)));
}

function isRegionOf(code: string, locale: string): boolean {
  return languageOf(code) === locale && sameLanguage(code, locale);
}

/**
 * The regions meant by plain codes. If a source has a file in one region of a language and none in the language itself,
 * that file is the translation; if programs only support languages with countries, a plain code stands for the
 * supported one. Programs would load a second file first or never, and either would lack texts of the other.
 *
 * @param wanted canonical, named for this run
 * @param known the targets of the lock, in which a plain code without a region is meant literally, unless it is from the
 * configuration
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
    const isConfigured = configured.includes(locale);
    // A user who names both gets both.
    if (hasRegion(wanted) || (isConfigured && hasRegion(configured))) return [];
    if (!isConfigured && known.includes(locale) && !hasRegion(known)) return [];
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

/**
 * The targets, with plain codes replaced by the regions that they mean. A plain code that other files use is kept as an
 * additional target.
 */
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
 * The targets for a configuration: a language without its only region if some sources have files in the language and
 * others in the region. Naming both would require files in both for each source.
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
 * If a language and its region are both targets and no source has files in both, each source is covered in one of them
 * only: the one that it has or gets.
 *
 * @param requested the targets named by flag and configuration
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
