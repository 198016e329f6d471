import { DragomanError } from '../../base/errors.ts';
import type { Lock } from '../state/lock.ts';
import {
  NO_CHANGES,
  NO_COVERAGE,
  sumChanges,
  sumCoverage,
  type FileReport,
  type LanguageReport,
} from './report.ts';
import type { Resource } from '../discover/resource.ts';
import { listDrift, measureCoverage } from './coverage.ts';
import { hasWork, type Selection } from './key-action.ts';
import type { Survey, Workspace } from './workspace.ts';

export interface SurveyOptions extends Selection {
  readonly signal: AbortSignal;
  /** Returns as soon as something has to be written; the report is incomplete then. */
  readonly stopAtWork?: boolean | undefined;
  /** Called for every file in which something has to be written. */
  readonly onWork?: ((survey: Survey) => void) | undefined;
}

export interface LanguageSurvey {
  readonly report: LanguageReport;
  /** All files, in the order of the project's resources. */
  readonly files: readonly FileReport[];
  /** Whether anything has to be written. */
  readonly work: boolean;
}

/** Compares all files of one language. @throws DragomanError `interrupted`; files that cannot be read are data. */
export async function surveyLanguage(
  workspace: Workspace,
  locale: string,
  lock: Lock,
  options: SurveyOptions,
): Promise<LanguageSurvey> {
  const texts = new Set<string>();
  const files: FileReport[] = [];
  let work = false;
  for (const resource of workspace.project.resources) {
    if (options.signal.aborted)
      throw new DragomanError('interrupted', 'interrupted before anything was written');
    try {
      const survey = await workspace.survey(resource, locale, lock);
      if (hasWork(survey.plan, lock.section(resource.source, locale), options)) {
        work = true;
        options.onWork?.(survey);
      }
      files.push(reportFile(survey, options, texts));
    } catch (error) {
      // What is no file is a mistake about the project, and not a state of one of its files.
      if (!(error instanceof DragomanError) || error.code === 'not_a_file') throw error;
      files.push(failedFile(resource, locale, error));
    }
    if (work && options.stopAtWork) break;
  }
  return { work, files, report: summarizeFiles(locale, files) };
}

export function reportFile(survey: Survey, selection: Selection, texts: Set<string>): FileReport {
  const coverage = measureCoverage(survey, selection, texts);
  return {
    source: survey.resource.source,
    target: survey.targetPath,
    coverage,
    changes: { ...NO_CHANGES, kept: coverage.translated },
    written: false,
    drift: listDrift(survey, selection),
    failures: [],
    terms: [],
  };
}

export function failedFile(resource: Resource, locale: string, error: DragomanError): FileReport {
  return {
    source: resource.source,
    target: resource.targetPath(locale),
    coverage: NO_COVERAGE,
    changes: NO_CHANGES,
    written: false,
    drift: [],
    failures: [],
    terms: [],
    error,
  };
}

/** Counts up, and leaves out the files about which there is nothing to say. */
export function summarizeFiles(
  locale: string,
  files: readonly FileReport[],
  error?: DragomanError,
): LanguageReport {
  return {
    locale,
    coverage: sumCoverage(files.map((file) => file.coverage)),
    changes: sumChanges(files.map((file) => file.changes)),
    files: files.filter(
      ({ written, error: broken, drift, failures, terms }) =>
        written || broken || drift.length + failures.length + terms.length > 0,
    ),
    error,
  };
}
