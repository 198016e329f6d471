import { appendFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { missingTermText } from '../../pipeline/terms/missing-term.ts';
import type { FileReport } from '../../project/plan/report.ts';
import type { CommandContext } from '../command.ts';
import { findingText, GITHUB_LEVELS, keyText } from '../findings.ts';
import { DRIFT_WORDS } from '../sync-report.ts';
import { annotate, errorAnnotation, type Annotation } from './annotation.ts';
import type { CommandOutcome } from './outcome.ts';
import { summaryOf } from './summary.ts';

/**
 * In a workflow of GitHub: annotations for what is wrong, and a summary of the job. Elsewhere nothing. What cannot be
 * written does not change how the command ends.
 */
export async function reportToGithub(
  outcome: CommandOutcome,
  { terminal, output }: CommandContext,
): Promise<void> {
  if (!terminal.runner) return;
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
  const found = findings.map((finding): Annotation => ({
    level: GITHUB_LEVELS[finding.severity],
    file: resolve(finding.root, finding.file),
    line: finding.line,
    column: finding.column,
    title: finding.rule,
    message: findingText(finding),
  }));
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
  { error, failures, terms, drift, target }: FileReport,
  isGate: boolean,
): readonly Annotation[] {
  const failed = failures.map(({ file, line, column, key, reason }): Annotation => ({
    level: 'error',
    file: join(root, file),
    line,
    column,
    title: 'not translated',
    message: `${keyText(key)} was not translated into ${locale}: ${reason}`,
  }));
  const lacking = terms.map(({ file, line, column, key, ...term }): Annotation => ({
    level: 'warning',
    file: join(root, file),
    line,
    column,
    title: 'glossary-term',
    message: `${keyText(key)} (${locale}): ${missingTermText(term)}`,
  }));
  const drifted = drift
    .filter(({ kind }) => isGate || kind === 'outdated')
    .map(({ kind, key, file, line, column }): Annotation => ({
      level: kind === 'outdated' ? 'warning' : 'error',
      file: join(root, file),
      line,
      column,
      title: kind,
      message: `${keyText(key)} ${DRIFT_WORDS[kind]} (${locale})`,
    }));
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
  return [...broken, ...failed, ...lacking, ...drifted];
}
