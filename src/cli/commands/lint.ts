import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { formatOfPath } from '../../formats/registry.ts';
import type { Finding } from '../../project/lint/finding.ts';
import { findingName, lintFile, lintProject } from '../../project/lint/lint.ts';
import { openProjects } from '../../project/state/project.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { CHECK_FAILED, OK } from '../exit-code.ts';
import {
  findingDocument,
  findingLine,
  githubAnnotation,
  REPORT_FORMATS,
  sarifLog,
  type ReportFormat,
} from '../findings.ts';
import { addExamples } from '../examples.ts';
import { addGlossaryOption, findProjectGlossary, type GlossaryFlags } from '../glossary.ts';
import { reportToGithub } from '../github/report.ts';
import { addLanguageOptions, sourceOf, targetsOf, type LanguageOptions } from '../language-options.ts';
import type { Terminal } from '../terminal.ts';

interface LintOptions extends LanguageOptions, GlossaryFlags {
  readonly format?: ReportFormat;
}

function addLintOptions(command: Command): void {
  addLanguageOptions(command);
  addGlossaryOption(command);
  command
    .argument('[path...]', 'directories or files; default: this directory')
    .addOption(new Option('--format <format>', 'how findings are printed').choices(REPORT_FORMATS));
  addExamples(command, [
    ['dragoman lint', 'check all files of the project here'],
    ['dragoman lint res --format sarif > lint.sarif', 'for code scanning'],
  ]);
}

export const lint: CommandModule<LintOptions> = {
  annotatesErrors: true,
  configure: addLintOptions,

  async run(args, options, context) {
    const findings = await lintPaths(args, options, context.terminal);
    printFindings(findings, options, context);
    const placed = findings.map((finding) => ({ ...finding, root: context.terminal.cwd }));
    // With its own format the annotations are the result.
    if (options.format !== 'github') {
      const passed = findings.length === 0;
      await reportToGithub({ title: 'dragoman lint', passed, findings: placed, isGate: true }, context);
    }
    return findings.length > 0 ? CHECK_FAILED : OK;
  },
};

/** Files given by name that belong to no layout are checked by themselves; everything else as projects. */
async function lintPaths(
  args: readonly string[],
  options: LintOptions,
  terminal: Terminal,
): Promise<readonly Finding[]> {
  const source = sourceOf(options);
  const targets = targetsOf(options);
  const findings: Finding[] = [];
  for (const path of args.length > 0 ? args : ['.']) {
    const absolute = resolve(terminal.cwd, path);
    const isFile =
      formatOfPath(path) !== undefined && (await stat(absolute).catch(() => undefined))?.isFile() === true;
    const projects = await openProjects([absolute], { source, targets }).catch((error: unknown) => {
      // A single file need not be part of a layout to be looked at.
      if (isFile && error instanceof DragomanError && error.code === 'configuration') return [];
      throw error;
    });
    const selected = projects.filter((project) => project.resources.length > 0);
    for (const project of selected) {
      const glossary = await findProjectGlossary(options, terminal, project);
      const found = await lintProject(project, terminal.signal, glossary);
      const prefix = findingName(terminal.cwd, project.root);
      findings.push(
        ...found.map((finding) => ({
          ...finding,
          file: prefix === '' ? finding.file : `${prefix}/${finding.file}`,
        })),
      );
    }
    if (selected.length === 0 && isFile)
      findings.push(...(await lintFile(absolute, findingName(terminal.cwd, absolute), source)));
    else if (selected.length === 0) {
      throw new DragomanError('configuration', `no localization files found in ${dirname(absolute)}`);
    }
  }
  return findings;
}

function printFindings(findings: readonly Finding[], options: LintOptions, { output }: CommandContext): void {
  const format = output.json ? (options.format ?? 'json') : (options.format ?? 'text');
  switch (format) {
    case 'json':
      output.document({ findings: findingDocument(findings) });
      break;
    case 'sarif':
      output.document(sarifLog(findings));
      break;
    case 'github':
      for (const finding of findings) output.command(githubAnnotation(finding));
      break;
    case 'text':
      for (const finding of findings) output.result(findingLine(finding));
      output.message(
        findings.length === 0
          ? 'no findings'
          : `${findings.length} finding${findings.length === 1 ? '' : 's'}`,
      );
      break;
  }
}
