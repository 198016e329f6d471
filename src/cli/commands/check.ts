import { join } from 'node:path';
import { lintLanguage, lintSources, sortFindings } from '../../project/lint/lint.ts';
import { type Finding, atLeast } from '../../project/lint/finding.ts';
import type { SyncReport } from '../../project/plan/report.ts';
import { cacheDirectory, stateDirectory } from '../../base/user-directories.ts';
import { checkProject } from '../../project/plan/check.ts';
import type { CommandModule } from '../command.ts';
import { CHECK_FAILED, OK } from '../exit-code.ts';
import { addExamples } from '../help.ts';
import { addSeverityOption, findingDocument, printFinding, type SeverityOptions } from '../findings.ts';
import { addGlossaryOption, findProjectGlossary, type GlossaryFlags } from '../glossary.ts';
import { reportToGithub } from '../github/report.ts';
import type { LanguageOptions } from '../language-options.ts';
import {
  addProjectOptions,
  openSelected,
  passedOverDocument,
  printPassedOver,
  reportNested,
  requireTargetLanguages,
} from '../project-options.ts';
import { hasDrift, printDrift, projectsDocument } from '../sync-report.ts';
import { VERSION } from '../../base/version.ts';

export const check: CommandModule<LanguageOptions & GlossaryFlags & SeverityOptions> = {
  annotatesErrors: true,
  configure(command) {
    addProjectOptions(command);
    addGlossaryOption(command);
    addSeverityOption(command);
    addExamples(command, [
      ['dragoman check', 'the gate of a pipeline: ends with 8 if anything has to be done'],
      ['dragoman check locales -t es --json', 'one language of one directory, as JSON'],
    ]);
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    const { signal } = terminal;
    const findings: (Finding & { readonly root: string })[] = [];
    const reports: SyncReport[] = [];
    const projects = await openSelected(args, flags, terminal);
    reportNested(projects, context);
    printPassedOver(projects, output);
    requireTargetLanguages(projects);
    for (const project of projects) {
      const glossary = await findProjectGlossary(flags, terminal, project);
      const linted: Finding[] = [];
      const report = await checkProject(project, {
        signal,
        version: VERSION,
        cacheDirectory: cacheDirectory(terminal.env),
        stateDirectory: stateDirectory(terminal.env),
        onLanguage: async (workspace, locale) => {
          if (locale === project.targets[0]) linted.push(...(await lintSources(workspace)));
          linted.push(...(await lintLanguage(workspace, locale, { signal, glossary })));
        },
      });
      reports.push(report);
      for (const finding of atLeast(sortFindings(linted), flags.severity))
        findings.push({ ...finding, root: project.root });
    }
    const failed = findings.length > 0 || reports.some(hasDrift);
    if (output.json) {
      output.document({
        ...projectsDocument(reports, output),
        findings: findingDocument(findings),
        ...passedOverDocument(projects),
      });
    } else {
      for (const report of reports) printDrift(report, output);
      for (const { root, ...finding } of findings)
        printFinding({ ...finding, file: output.shown(join(root, finding.file)) }, output);
      if (failed) output.message('check failed');
      else output.success('check passed');
    }
    await reportToGithub(
      { title: 'dragoman check', passed: !failed, findings, reports, isGate: true },
      context,
    );
    return failed ? CHECK_FAILED : OK;
  },
};
