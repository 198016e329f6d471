import type { FileTranslator } from '../../engines/file-translator.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { JobRun } from './job-run.ts';
import type { Journal } from '../state/journal.ts';
import type { Lock } from '../state/lock.ts';
import { wantedKeys } from '../plan/pricing.ts';
import type { Resource } from '../discover/resource.ts';
import { surveyLanguage } from '../plan/survey-language.ts';
import type { Selection } from '../plan/key-action.ts';
import type { ProgressListener } from '../plan/wanted-key.ts';
import type { Survey, Workspace } from '../plan/workspace.ts';

interface JobContext {
  readonly workspace: Workspace;
  readonly lock: Lock;
  readonly journal: Journal;
  readonly options: Selection & {
    readonly signal: AbortSignal;
    readonly onProgress?: ProgressListener | undefined;
    readonly glossary?: Glossary | undefined;
  };
}

/**
 * Has the files translated in which any language lacks something. Where none does, the service is not asked for
 * anything, unless there are jobs of an earlier run to be deleted.
 *
 * @param open connects to the service
 * @throws DragomanError as `open` and `JobRun.begin`
 */
export async function runJobs(
  open: () => Promise<FileTranslator>,
  { workspace, lock, journal, options }: JobContext,
): Promise<JobRun | undefined> {
  const { signal, onProgress, glossary } = options;
  const needs = new Map<Resource, string[]>();
  for (const locale of workspace.project.targets) {
    const onWork = (survey: Survey): void => {
      if (wantedKeys(survey, options).length === 0) return;
      needs.set(survey.resource, [...(needs.get(survey.resource) ?? []), locale]);
    };
    await surveyLanguage(workspace, locale, lock, { ...options, onWork });
  }
  if (needs.size === 0 && journal.left.jobs.length === 0) return undefined;
  const run = new JobRun({ translator: await open(), workspace, journal, signal, onProgress, glossary });
  await run.begin(needs);
  return run;
}
