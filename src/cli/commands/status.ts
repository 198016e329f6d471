import { cacheDirectory } from '../../project/clean-state.ts';
import { checkProject } from '../../project/sync.ts';
import type { SyncReport } from '../../project/report.ts';
import type { CommandModule } from '../command.ts';
import { OK } from '../exit-code.ts';
import type { LanguageOptions } from '../language-options.ts';
import { addExamples } from '../examples.ts';
import { addProjectOptions, openSelected } from '../project-options.ts';
import { addReportOption, withReportPage, type ReportOptions } from '../report-option.ts';
import { printCoverage, requireReadable, syncDocument } from '../sync-report.ts';
import { VERSION } from '../version.ts';

interface Flags extends LanguageOptions, ReportOptions {}

export const status: CommandModule<Flags> = {
  configure(command) {
    addProjectOptions(command);
    addReportOption(command);
    addExamples(command, [
      ['dragoman status', 'coverage per language of the project here'],
      ['dragoman status locales -s en -t es,fr', 'of files that were never synced'],
      ['dragoman status --report out.html', 'all keys with their translations, to look at in a browser'],
    ]);
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    const projects = await openSelected(args, flags, terminal);
    return withReportPage(flags, 'status', projects, context, async (page) => {
      const reports: SyncReport[] = [];
      for (const project of projects) {
        reports.push(
          await checkProject(project, {
            signal: terminal.signal,
            version: VERSION,
            cacheDirectory: cacheDirectory(terminal.env),
            onKeys: page?.listenerFor(project, projects.length > 1),
          }),
        );
      }
      const unwritten = await page?.finish(projects, reports);
      requireReadable(reports);
      const done = { projects: reports.map(syncDocument) };
      if (output.json && !unwritten) output.document(done);
      if (!output.json) for (const report of reports) printCoverage(report, output);
      return unwritten ? output.failure(unwritten, done) : OK;
    });
  },
};
