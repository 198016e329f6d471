import { dirname, join, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { loadConfiguration } from '../../project/config/configuration.ts';
import { type Finding, atLeast, gradeFindings } from '../../project/lint/finding.ts';
import { subtitleFormatOfPath } from '../../formats/subtitles/names.ts';
import { findingName, lintFile, lintProject, unreadable } from '../../project/lint/lint.ts';
import { lintSubtitles } from '../../project/lint/lint-subtitles.ts';
import type { Project } from '../../project/state/project.ts';
import { annotationCommand } from '../output/annotation.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { CHECK_FAILED, OK } from '../output/exit-code.ts';
import {
  addSeverityOption,
  countFindings,
  findingDocument,
  printFinding,
  annotationOf,
  sarifLog,
  type SeverityOptions,
  addReportFormatOption,
  reportFormatOf,
  type ReportFormatFlags,
} from '../output/findings.ts';
import { addGlossaryOption, findProjectGlossary, type GlossaryFlags } from '../options/glossary.ts';
import { reportToGithub } from '../project/github-report.ts';
import { sourceOf, type LanguageOptions } from '../options/language.ts';
import { addProjectOptions, openSelected, reportNested, reportRegions } from '../options/project.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openSubtitleFile } from '../documents/subtitle-file.ts';

type LintFlags = LanguageOptions & GlossaryFlags & SeverityOptions & ReportFormatFlags;

export const lint: CommandModule<LintFlags> = {
  annotatesErrors: true,
  examples: [
    ['dragoman lint', 'check all files of the project here'],
    ['dragoman lint --severity error', 'a CI gate that ignores warnings'],
    ['dragoman lint res --output-format sarif > lint.sarif', 'for code scanning'],
  ],
  configure(command) {
    addProjectOptions(command);
    addGlossaryOption(command);
    addSeverityOption(command);
    addReportFormatOption(command);
  },

  async run(args, options, context) {
    const findings = atLeast(await lintPaths(args, options, context), options.severity);
    printFindings(findings, options, context);
    const placed = findings.map((finding) => ({ ...finding, root: context.terminal.cwd }));
    // In GitHub's format, the result already consists of annotations.
    if (options.outputFormat !== 'github') {
      const passed = findings.length === 0;
      await reportToGithub({ title: 'dragoman lint', passed, findings: placed, isGate: true }, context);
    }
    return findings.length > 0 ? CHECK_FAILED : OK;
  },
};

/** Named files outside any layout are checked alone, everything else as part of projects. */
async function lintPaths(
  args: readonly string[],
  options: LintFlags,
  context: CommandContext,
): Promise<readonly Finding[]> {
  const { cwd } = context.terminal;
  const named = args.map((path) => resolve(cwd, path));
  const paths = named.filter((path) => subtitleFormatOfPath(path) === undefined);
  const ofSubtitles = await lintSubtitleFiles(
    named.filter((path) => !paths.includes(path)),
    context.terminal,
  );
  if (paths.length === 0 && ofSubtitles.length + args.length > 0) return ofSubtitles;
  const projects = await openUnlessLone(paths, options, context);
  if (projects) {
    reportNested(projects, context);
    reportRegions(projects, context);
    return [...ofSubtitles, ...(await lintProjects(projects, options, context.terminal))];
  }
  const findings: Finding[] = [...ofSubtitles];
  for (const path of paths) {
    const own = await openUnlessLone([path], options, context);
    findings.push(
      ...(own
        ? await lintProjects(own, options, context.terminal)
        : await lintFile(path, findingName(cwd, path), sourceOf(options), context.formats)),
    );
  }
  return findings;
}

/** Named subtitles need no layout. The nearest configuration above a file sets the severity of its findings. */
async function lintSubtitleFiles(paths: readonly string[], terminal: Terminal): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const path of paths) {
    const loaded = await loadConfiguration(dirname(path));
    findings.push(...gradeFindings(await lintSubtitleFile(path, terminal), loaded?.configuration ?? {}));
  }
  return findings;
}

async function lintSubtitleFile(path: string, terminal: Terminal): Promise<readonly Finding[]> {
  const name = findingName(terminal.cwd, path);
  try {
    const { document } = await openSubtitleFile(path, {}, terminal);
    return lintSubtitles(document, name);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'unreadable_input') throw error;
    return [unreadable(error, name, undefined)];
  }
}

/** Undefined if some of the files belong to no project: a single file can be checked without a layout. */
async function openUnlessLone(
  paths: readonly string[],
  options: LintFlags,
  context: CommandContext,
): Promise<readonly Project[] | undefined> {
  try {
    return await openSelected(paths, options, context);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'configuration') throw error;
    if (paths.some((path) => context.formats.ofPath(path) && typeAt(path) === 'file')) return undefined;
    throw error;
  }
}

async function lintProjects(
  projects: readonly Project[],
  options: LintFlags,
  terminal: Terminal,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const project of projects) {
    const glossary = await findProjectGlossary(options, terminal, project);
    const found = await lintProject(project, terminal.signal, glossary);
    const nameOf = (file: string): string => findingName(terminal.cwd, join(project.root, file));
    for (const finding of found) findings.push({ ...finding, file: nameOf(finding.file) });
  }
  return findings;
}

function printFindings(findings: readonly Finding[], options: LintFlags, { output }: CommandContext): void {
  switch (reportFormatOf(options, output)) {
    case 'json':
      output.document({ findings: findingDocument(findings) });
      break;
    case 'sarif':
      output.document(sarifLog(findings));
      break;
    case 'github':
      for (const finding of findings) output.command(annotationCommand(annotationOf(finding)));
      break;
    case 'text':
      for (const finding of findings) printFinding(finding, output);
      if (findings.length > 0) output.message(countFindings(findings));
      else output.success('no findings');
      break;
  }
}
