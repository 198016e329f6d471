import { cacheDirectory } from '../../project/clean-state.ts';
import { checkProject } from '../../project/sync.ts';
import type { SyncReport } from '../../project/report.ts';
import type { CommandModule } from '../command.ts';
import { OK } from '../exit-code.ts';
import type { LanguageOptions } from '../language-options.ts';
import { addExamples } from '../examples.ts';
import { addProjectOptions, openSelected } from '../project-options.ts';
import { printCoverage, requireReadable, syncDocument } from '../sync-report.ts';
import { VERSION } from '../version.ts';

export const status: CommandModule<LanguageOptions> = {
  configure(command) {
    addProjectOptions(command);
    addExamples(command, [
      ['dragoman status', 'coverage per language of the project here'],
      ['dragoman status locales -s en -t es,fr', 'of files that were never synced'],
    ]);
  },

  async run(args, flags, { terminal, output }) {
    const reports: SyncReport[] = [];
    for (const project of await openSelected(args, flags, terminal)) {
      reports.push(
        await checkProject(project, {
          signal: terminal.signal,
          version: VERSION,
          cacheDirectory: cacheDirectory(terminal.env),
        }),
      );
    }
    requireReadable(reports);
    if (output.json) output.document({ projects: reports.map(syncDocument) });
    else for (const report of reports) printCoverage(report, output);
    return OK;
  },
};
