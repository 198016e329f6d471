import { join } from 'node:path';
import { positionsIn } from '../../../base/span.ts';
import { knownText } from '../../../formats/registry.ts';
import { checkProject, type CheckOptions, type SurveyProjectOptions } from '../../../project/plan/check.ts';
import type { SyncReport } from '../../../project/plan/report.ts';
import type { Project } from '../../../project/state/project.ts';
import type { CommandContext } from '../../output/command.ts';
import { printCoverage } from '../../project/coverage-table.ts';
import { type ExitCode, OK, PARTIAL } from '../../output/exit-code.ts';
import { nameOfKey } from '../../output/findings.ts';
import type { Output } from '../../output/output.ts';
import { passedOverDocument } from '../../options/project.ts';
import type { ReportPage } from '../../project/report-page/report-page.ts';
import { priceDocument, projectsDocument } from '../../project/sync-documents.ts';
import type { SyncEngine } from '../../execution/sync-engine.ts';
import { printPrice } from '../../project/sync-price.ts';
import { exitCodeOf, printLanguageErrors } from '../../project/sync-report.ts';
import { findUnserved } from '../../project/unserved-languages.ts';
import type { ResourcesOf } from '../../execution/translation-resources.ts';

/** Projects, each with its own settings. */
export interface ConfiguredProjects {
  readonly projects: readonly Project[];
  readonly resourcesOf: ResourcesOf;
}

/** Compares all projects without writing to them. */
export async function checkAll(
  { projects, resourcesOf }: ConfiguredProjects,
  options: SurveyProjectOptions,
  page: ReportPage | undefined,
): Promise<readonly SyncReport[]> {
  const reports: SyncReport[] = [];
  for (const project of projects) {
    const onKeys = page?.listenerFor(project, projects.length > 1);
    reports.push(await checkProject(project, { ...options, ...resourcesOf(project), onKeys }));
  }
  return reports;
}

/** Runs `sync --dry-run`, and returns the exit code that the sync would have if no engine supports a language. */
export async function surveySync(
  equipped: ConfiguredProjects,
  options: CheckOptions,
  engine: SyncEngine,
  { output }: CommandContext,
  page: ReportPage | undefined,
): Promise<ExitCode> {
  const { currency } = engine.spending;
  const { pricing } = engine;
  const checked = await checkAll(equipped, { ...options, pricing, isDry: true, ...listerFor(output) }, page);
  const reports = await findUnserved(checked, engine, options.signal);
  const unwritten = await page?.finish(equipped.projects, reports);
  const done = {
    ...projectsDocument(reports, output, { currency }),
    ...passedOverDocument(equipped.projects),
    ...priceDocument(reports, currency),
  };
  if (output.json && !unwritten) output.document(done);
  if (!output.json) {
    for (const report of reports) {
      printLanguageErrors(report, output);
      printCoverage(report, output);
    }
    if (pricing) printPrice(reports, pricing, currency, output);
    output.message('Dry run: nothing was written.');
  }
  if (unwritten) return output.failure(unwritten, done);
  const exitCode = exitCodeOf(reports);
  const isUnserved = reports.some(({ languages }) => languages.some(({ error }) => error));
  return exitCode === OK && isUnserved ? PARTIAL : exitCode;
}

/** With `--verbose`, lists the keys that a sync would translate. */
function listerFor(output: Output): Pick<SurveyProjectOptions, 'onWanted'> {
  if (!output.options.verbose) return {};
  return {
    onWanted: (project, locale, files) => {
      for (const [{ source, sourcePath }, keys] of files) {
        const positionOf = positionsIn(source.document.text);
        const path = output.shown(join(project.root, sourcePath));
        const listed = new Set<string>();
        for (const { key, text, entry, sourceOffset } of keys) {
          if (listed.has(entry)) continue;
          listed.add(entry);
          const { line, column } = positionOf(sourceOffset);
          output.detail(
            `${path}:${line}:${column}: would translate ${nameOfKey({ key, ...knownText(source.format, text) })} (${locale})`,
          );
        }
      }
    },
  };
}
