import type { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import type { Resource } from '../discover/resource.ts';
import type { CleanCounts, CleanFindings } from '../state/clean-state.ts';
import { resourcesOf } from '../state/project.ts';
import {
  NO_CHANGES,
  NO_COVERAGE,
  sumChanges,
  sumCoverage,
  type Coverage,
  type FileReport,
  type LanguageReport,
  type Note,
} from './report.ts';
import { listDrift, measureCoverage } from './coverage.ts';
import { hasWork, type Selection } from './key-action.ts';
import type { Workspace } from './workspace.ts';
import type { Survey } from './survey.ts';

export interface SurveyOptions extends Selection {
  readonly signal: AbortSignal;
  /** Whether to return as soon as any work is found; the report is then incomplete. */
  readonly stopAtWork?: boolean | undefined;
  /** Whether a language is reported even if none of its sources can be read. */
  readonly listsUnreadable?: boolean | undefined;
  /** Called for each file that was opened and compared. */
  readonly onCompared?: ((survey: Survey, root: string) => void) | undefined;
  /** Called for each file that must be written. */
  readonly onWork?: ((survey: Survey) => void) | undefined;
}

export interface LanguageSurvey {
  readonly report: LanguageReport;
  /** Whether anything must be written. */
  readonly work: boolean;
}

/**
 * Compares all files of a language, and notes the clean ones.
 *
 * @throws DragomanError `interrupted`, and the error of the first source if none can be read, unless `listsUnreadable`.
 * If only some sources or targets cannot be read, the report contains their errors.
 */
export async function surveyLanguage(
  workspace: Workspace,
  locale: string,
  options: SurveyOptions,
): Promise<LanguageSurvey> {
  const texts = new Set<string>();
  const files: FileReport[] = [];
  const badSources: DragomanError[] = [];
  let work = false;
  for (const resource of resourcesOf(workspace.project, locale)) {
    throwIfAborted(options.signal, 'interrupted before anything was written');
    const comparison = await workspace.compare(resource, locale);
    if (comparison.kind === 'clean') files.push(reportClean(resource, locale, comparison.counts));
    else if (comparison.kind === 'unreadable' && comparison.foreign !== undefined && resource.languages) {
      // Only the file's name suggests a translation, so this error does not stop the other files.
      const { foreign: keys, error } = comparison;
      const coverage = { ...NO_COVERAGE, keys, unmatched: keys };
      const place = error.at && `line ${error.at.line}`;
      const notes = [{ place, text: error.message }];
      files.push({ ...emptyFile(resource, locale), coverage, notes });
    } else if (comparison.kind === 'unreadable') {
      files.push(failedFile(resource, locale, comparison.error));
      if (comparison.ofSource) badSources.push(comparison.error);
    } else {
      const { survey } = comparison;
      options.onCompared?.(survey, workspace.project.root);
      const hasFileWork = hasToFollow(survey) || hasWork(survey.plan, survey.records, options);
      const report = reportFile(survey, options, texts);
      if (hasFileWork) options.onWork?.(survey);
      work ||= hasFileWork;
      noteClean(workspace, survey, hasFileWork ? undefined : report, options);
      files.push(report);
    }
    if (work && options.stopAtWork) break;
  }
  const [badSource] = badSources;
  if (badSource && badSources.length === files.length && !options.listsUnreadable) throw badSource;
  return { work, report: summarizeFiles(locale, files) };
}

/** Notes whether a target is clean. Does nothing in a run for selected keys, because other keys may need work. */
export function noteClean(
  workspace: Workspace,
  survey: Survey,
  report: FileReport | undefined,
  { keys: selected }: Selection,
): void {
  if (selected && selected.length > 0) return;
  const { keys, review, edited, unknown, states, flags, ...coverage }: Coverage =
    report?.coverage ?? NO_COVERAGE;
  const { missing, unmatched, stale, outdated, extra, invalid } = coverage;
  const open = missing + unmatched + stale + outdated + extra + invalid;
  const isClean = report && report.failures.length + report.drift.length + open === 0;
  const notes = report?.notes?.length === 0 ? undefined : report?.notes;
  workspace.note(survey, isClean ? { keys, review, edited, unknown, states, flags, notes } : undefined);
}

/** The counts to report for a file or language without any work. */
export function reportCounts(counts: CleanCounts): Pick<FileReport, 'coverage' | 'changes'> {
  const { keys, review, edited, unknown, states, flags } = counts;
  return {
    coverage: { ...NO_COVERAGE, keys, review, edited, unknown, translated: keys - review, states, flags },
    changes: { ...NO_CHANGES, kept: keys },
  };
}

/** The report on a file that is unchanged since an earlier run. */
export function reportClean(resource: Resource, locale: string, found: CleanFindings): FileReport {
  return { ...emptyFile(resource, locale), ...reportCounts(found), notes: found.notes };
}

export function reportFile(survey: Survey, selection: Selection, texts: Set<string>): FileReport {
  const coverage = measureCoverage(survey, selection, texts);
  return {
    ...emptyFile(survey.resource, survey.locale),
    coverage,
    changes: { ...NO_CHANGES, kept: coverage.translated + coverage.review },
    drift: listDrift(survey, selection),
    notes: [...warningsOf(survey), ...(survey.notes ?? [])],
    isBehind: hasToFollow(survey),
  };
}

/** Whether a file must be written although none of its keys need it: pages without texts are part of the site too. */
function hasToFollow({ isFollowed, existing, source, expected }: Survey): boolean {
  const isNewPage = !existing && source.format.isProse === true;
  return isFollowed || (isNewPage && expected.keys.every(({ blank }) => blank));
}

/** Notes on the source. */
function warningsOf({ source: { document }, sourcePath }: Survey): readonly Note[] {
  return document.warnings.flatMap(({ message, offset }) => {
    const { line, column } = positionAt(document.text, offset);
    return message === undefined ? [] : [{ place: `${sourcePath}:${line}:${column}`, text: message }];
  });
}

export function failedFile(resource: Resource, locale: string, error: DragomanError): FileReport {
  return { ...emptyFile(resource, locale), error };
}

function emptyFile(resource: Resource, locale: string): FileReport {
  return {
    source: resource.source,
    sourceName: resource.sourceName,
    target: resource.targetPath(locale),
    isDocument: resource.format.isProse === true,
    coverage: NO_COVERAGE,
    changes: NO_CHANGES,
    written: false,
    drift: [],
    failures: [],
    terms: [],
  };
}

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
      ({ written, error: broken, isBehind = false, drift, failures, terms, notes = [] }) =>
        written || broken || isBehind || drift.length + failures.length + terms.length + notes.length > 0,
    ),
    allFiles: () => files,
    error,
  };
}
