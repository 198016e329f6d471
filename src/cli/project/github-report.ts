import { appendFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { missingTermText } from '../../pipeline/terms/terms.ts';
import type { Finding } from '../../project/lint/finding.ts';
import { countUnreadable, percentDone, type FileReport, type SyncReport } from '../../project/plan/report.ts';
import type { CommandContext } from '../output/command.ts';
import { annotationOf, failureText, GITHUB_LEVELS, nameOfKey } from '../output/findings.ts';
import { behindSourceFindings, driftFindings } from './sync-report.ts';
import { percentText } from '../terminal/table.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import { annotate, type Annotation, errorAnnotation, workspacePath } from '../output/annotation.ts';

/** A command's report about a repository. */
interface CommandOutcome {
  /** `dragoman check`. */
  readonly title: string;
  readonly passed: boolean;
  /** Findings, with the root that their files are relative to. */
  readonly findings?: readonly (Finding & { readonly root: string })[] | undefined;
  readonly reports?: readonly SyncReport[] | undefined;
  /** Whether unfinished keys are problems, as for a gate but not after a sync. */
  readonly isGate: boolean;
}

/**
 * In a GitHub workflow, writes annotations for findings and a job summary; elsewhere does nothing. Write errors do not
 * change the exit code.
 */
export async function reportToGithub(
  outcome: CommandOutcome,
  { terminal, output }: CommandContext,
): Promise<void> {
  if (!terminal.runner?.annotates) return;
  const annotations = annotationsOf(outcome);
  annotate(annotations, terminal);
  const path = terminal.env['GITHUB_STEP_SUMMARY'];
  if (path === undefined || path === '') return;
  try {
    await appendFile(resolve(terminal.cwd, path), summaryOf(outcome, annotations, terminal));
  } catch (error) {
    output.message(`cannot write the summary of the job to ${path}: ${reasonOf(error)}`);
  }
}

function annotationsOf({ findings = [], reports = [], isGate }: CommandOutcome): readonly Annotation[] {
  const found = findings.map(({ root, ...finding }) =>
    annotationOf({ ...finding, file: resolve(root, finding.file) }),
  );
  const synced = reports.flatMap(({ root, languages, stopped }) => [
    ...languages.flatMap(({ locale, error, files }) => [
      ...(error ? [errorAnnotation(error)] : []),
      ...files.flatMap((file) => fileAnnotations(root, locale, file, isGate)),
    ]),
    ...(stopped ? [errorAnnotation(stopped)] : []),
  ]);
  return [...found, ...synced];
}

function fileAnnotations(
  root: string,
  locale: string,
  report: FileReport,
  isGate: boolean,
): readonly Annotation[] {
  const { error, failures, terms, target } = report;
  const failed = failures.map((failure): Annotation => ({
    level: 'error',
    file: join(root, failure.file),
    line: failure.line,
    column: failure.column,
    title: failure.isExtra ? 'not removed' : 'not translated',
    message: failureText(failure, locale),
  }));
  const lacking = terms.map(({ file, line, column, ...term }): Annotation => ({
    level: 'warning',
    file: join(root, file),
    line,
    column,
    title: 'glossary-term',
    message: `${nameOfKey(term)} (${locale}): ${missingTermText(term)}`,
  }));
  const drifted = driftFindings(locale, report)
    .filter(({ severity }) => isGate || severity === 'warning')
    .map((finding) => annotationOf({ ...finding, file: join(root, finding.file) }));
  const behind = (isGate ? behindSourceFindings(locale, report) : []).map(
    ({ rule, severity, file, message }): Annotation => ({
      level: GITHUB_LEVELS[severity],
      file: join(root, file),
      title: rule,
      message,
    }),
  );
  const broken: Annotation[] = error
    ? [
        {
          level: 'error',
          file: join(root, target),
          line: error.at?.line,
          title: error.code,
          message: describe(error),
        },
      ]
    : [];
  return [...broken, ...behind, ...failed, ...lacking, ...drifted];
}

/** GitHub limits a summary to 1 MiB, and readers would not read more rows. */
const MAX_ROWS = 100;

/** The job summary as GitHub's Markdown. */
function summaryOf(
  { title, passed, reports = [], isGate }: CommandOutcome,
  annotations: readonly Annotation[],
  terminal: Terminal,
): string {
  const parts = [`### ${passed ? '✅' : '❌'} ${title}`];
  for (const report of reports) parts.push((isGate ? coverageTable : changesTable)(report));
  if (annotations.length > 0) parts.push(problemTable(annotations, terminal));
  else if (reports.length === 0) parts.push('No findings.');
  return `${parts.join('\n\n')}\n\n`;
}

const COVERAGE = ['keys', 'missing', 'review', 'stale', 'edited', 'unknown', 'outdated', 'extra'] as const;

function coverageTable({ languages }: SyncReport): string {
  const rows = languages.map(({ locale, coverage, files }) => [
    locale,
    percentText(percentDone(coverage, countUnreadable(files))),
    ...COVERAGE.map((name) => coverage[name]),
  ]);
  return table(['language', 'done', ...COVERAGE], rows);
}

function changesTable({ languages }: SyncReport): string {
  const head = ['language', 'translated', 'reused', 'kept', 'failed', 'removed'];
  const rows = languages.map(({ locale, changes }) => {
    const { translated, reused, kept, failed, pruned } = changes;
    return [locale, translated, reused, kept, failed, pruned];
  });
  return table(head, rows);
}

function problemTable(annotations: readonly Annotation[], terminal: Terminal): string {
  const rows = annotations.slice(0, MAX_ROWS).map(({ file, line, title, message }) => {
    const place = file === undefined ? '' : workspacePath(file, terminal);
    return [line === undefined ? place : `${place}:${line}`, title, message];
  });
  const more = annotations.length - rows.length;
  return table(['where', 'what', ''], rows) + (more > 0 ? `\n\nand ${more} more` : '');
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text from files for a cell: on one line, with Markdown and HTML escaped. */
function cell(value: string | number): string {
  if (typeof value === 'number' || value === '---') return String(value);
  return oneLine(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]()#+!|~@]/g, (character) => `&#${character.charCodeAt(0)};`);
}
