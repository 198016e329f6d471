import type { TranslationResources } from '../../pipeline/segments.ts';
import type { LookupContext } from '../../pipeline/memory-lookup.ts';
import type { Project } from '../state/project.ts';
import { isSettled } from '../state/stored-state.ts';
import { listLanguage } from './key-list.ts';
import { surveyMemory } from './memory-survey.ts';
import { beginRun, openWorkspace, reportUnchanged, type WorkspaceOptions } from './open-workspace.ts';
import type { PlannedKey } from './plan.ts';
import { priceLanguage, wantedKeys, type Pricing } from './pricing.ts';
import type { LanguageReport, MemoryCoverage, SyncReport } from './report.ts';
import { surveyLanguage } from './survey-language.ts';
import type { Survey, Workspace } from './workspace.ts';

export interface CheckOptions extends WorkspaceOptions {
  readonly signal: AbortSignal;
}

/** Called with each language while its files are open. */
export type LanguageListener = (workspace: Workspace, locale: string) => Promise<void>;

export interface SurveyProjectOptions
  extends CheckOptions, Pick<TranslationResources, 'memory' | 'glossary'> {
  /** Also lists what the translation memory has of similar texts. */
  readonly similar?: boolean | undefined;
  readonly onLanguage?: LanguageListener | undefined;
  /** Of the engine that a sync would ask: the reports say what it would be charged then. */
  readonly pricing?: Pricing | undefined;
}

/**
 * Compares the files of a project, as `--frozen` and `--dry-run` do: reads only, needs no engine and no lock.
 *
 * @throws DragomanError `configuration` for a lock that cannot be used, `unreadable_input` when no source can be
 * read, `interrupted`.
 */
export async function checkProject(project: Project, options: SurveyProjectOptions): Promise<SyncReport> {
  const { root, source } = project;
  const beginning = await beginRun(project, options);
  const unchanged = options.onLanguage ? undefined : reportUnchanged(project, beginning);
  if (unchanged) {
    const free = options.pricing ? { credits: 0 } : {};
    const languages = unchanged.map((language) => ({ ...language, ...free }));
    return { root, source, languages, interrupted: false };
  }
  const opened = await openWorkspace(project, beginning);
  const { workspace, journal } = opened;
  const languages: LanguageReport[] = [];
  for (const locale of project.targets) {
    const files = new Map<Survey, readonly PlannedKey[]>();
    const onWork = (survey: Survey): void => void files.set(survey, wantedKeys(survey, options));
    const { report } = await surveyLanguage(workspace, locale, { ...options, onWork });
    await listLanguage(locale, { workspace, files: report.allFiles(), onKeys: options.onKeys });
    const { memory, glossary, pricing } = options;
    const context = { memory, glossary, source, target: locale };
    const credits = pricing && (await priceLanguage(pricing, { ...context, files, journal }));
    const recalled = await surveyRecall(files, context, options);
    languages.push({ ...report, wanted: countEntries(files), credits, memory: recalled });
    await options.onLanguage?.(workspace, locale);
    workspace.release(locale);
  }
  await workspace.saveClean(isSettled(project, opened) ? opened.text : undefined);
  return { root, source, languages, interrupted: false };
}

function countEntries(files: ReadonlyMap<Survey, readonly PlannedKey[]>): number {
  let count = 0;
  for (const keys of files.values()) count += new Set(keys.map(({ entry }) => entry)).size;
  return count;
}

async function surveyRecall(
  files: ReadonlyMap<Survey, readonly PlannedKey[]>,
  { memory, ...context }: LookupContext,
  { similar = false, signal }: SurveyProjectOptions,
): Promise<MemoryCoverage | undefined> {
  return memory && surveyMemory({ ...context, memory, files, similar, signal });
}
