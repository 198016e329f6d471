import { closing } from '../../base/closing.ts';
import type { LanguageReport, SyncReport } from '../../project/plan/report.ts';
import type { SyncEngine } from '../execution/sync-engine.ts';

/** Whether a sync would need an engine. */
export function needsEngine({ wanted = 0, memory }: LanguageReport): boolean {
  return wanted > (memory?.exact ?? 0);
}

/** The reports, with the reason for each language pair that no local engine supports. */
export async function findUnserved(
  reports: readonly SyncReport[],
  engine: SyncEngine,
  signal: AbortSignal,
): Promise<readonly SyncReport[]> {
  if (!engine.unavailable) return reports;
  const findReason = async (source: string, language: LanguageReport): Promise<LanguageReport> => {
    const error = needsEngine(language)
      ? await engine.unavailable?.(source, language.locale, signal)
      : undefined;
    return error ? { ...language, error } : language;
  };
  return closing(engine, async () => {
    const found: SyncReport[] = [];
    for (const report of reports) {
      const languages: LanguageReport[] = [];
      for (const language of report.languages) languages.push(await findReason(report.source, language));
      found.push({ ...report, languages });
    }
    return found;
  });
}
