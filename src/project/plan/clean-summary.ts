import { NO_CHANGES, NO_COVERAGE, type Coverage, type LanguageReport } from './report.ts';

/** What is remembered of a project in which all is well: the coverage of its languages. Undefined when all is not. */
export function summarize(
  languages: readonly LanguageReport[],
): readonly (readonly [string, Coverage])[] | undefined {
  const well =
    languages.length > 0 &&
    languages.every(
      ({ coverage, changes, files, error }) =>
        !error &&
        changes.failed === 0 &&
        coverage.extra + coverage.outdated + coverage.missing + coverage.stale === 0 &&
        files.every((file) => !file.error && file.drift.length === 0),
    );
  return well ? languages.map(({ locale, coverage }) => [locale, coverage]) : undefined;
}

/** Undefined when it is not what {@link summarize} made: nobody vouches for a cache. */
export function readSummary(summary: unknown): readonly LanguageReport[] | undefined {
  if (!Array.isArray(summary)) return undefined;
  const entries: readonly unknown[] = summary;
  const languages = entries.flatMap((entry): LanguageReport[] => {
    if (!Array.isArray(entry)) return [];
    const [locale, counts]: readonly unknown[] = entry;
    if (typeof locale !== 'string' || !isCoverage(counts)) return [];
    return [{ locale, coverage: counts, changes: { ...NO_CHANGES, kept: counts.keys }, files: [] }];
  });
  return languages.length === entries.length ? languages : undefined;
}

function isCoverage(value: unknown): value is Coverage {
  if (typeof value !== 'object' || value === null) return false;
  const counts = new Map<string, unknown>(Object.entries(value));
  return Object.keys(NO_COVERAGE).every((name) => Number.isSafeInteger(counts.get(name)));
}
