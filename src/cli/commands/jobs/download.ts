import { resolve } from 'node:path';
import { Option } from 'commander';
import { DragomanError } from '../../../base/errors.ts';
import { parseLocale } from '../../../languages/locale.ts';
import type { JobWithFiles } from '../../../contract/jobs.ts';
import type { CommandModule } from '../../command.ts';
import { addExamples } from '../../examples.ts';
import { OK } from '../../exit-code.ts';
import { requireJobId } from '../../jobs/options.ts';
import { downloadDocument } from '../../jobs/report.ts';
import { download as downloadAll, withJobs } from '../../jobs/operations.ts';
import { collectCodes } from '../../language-options.ts';
import { addThereOptions, type ServiceFlags } from '../../service/options.ts';
import { oneLine } from '../../terminal.ts';

interface Flags extends ServiceFlags {
  readonly target?: readonly string[];
  readonly all?: boolean;
  readonly output?: string;
  readonly force?: boolean;
}

export const download: CommandModule<Flags> = {
  configure(command) {
    command
      .argument('<id>', 'the job')
      .addOption(
        new Option(
          '-t, --target <codes>',
          'only these languages: repeat it, or separate codes by commas',
        ).argParser(collectCodes),
      )
      .option('--all', 'every language that has a file; the default without -t')
      .option('-o, --output <directory>', 'where the files go; default: this directory')
      .option('--force', 'replace existing files in this directory');
    addThereOptions(command);
    addExamples(command, [
      ['dragoman jobs download 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b -o out', 'all languages'],
      [
        'dragoman jobs download 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b -t fr',
        'one language, into this directory',
      ],
    ]);
  },

  async run([argument = ''], flags, context) {
    const { terminal, output } = context;
    const { signal } = terminal;
    const id = requireJobId(argument);
    if (flags.all && flags.target) throw new DragomanError('usage', '--all and -t exclude each other');
    const files = await withJobs(flags, context, async (jobs) => {
      const job = await jobs.jobStatus(id, { signal });
      const plan = {
        directory: resolve(terminal.cwd, flags.output ?? '.'),
        languages: flags.target?.map((code) => findLanguage(job, code)),
        replace: flags.output !== undefined || flags.force === true,
        signal,
      };
      return downloadAll(jobs, job, plan, context);
    });
    if (output.json) output.document({ job_id: id, files: downloadDocument(files) });
    return OK;
  },
};

/** A language as the job spells it: codes have several spellings, and the service knows one of them. */
function findLanguage(job: JobWithFiles, code: string): string {
  const codes = job.translated_files.map(({ language_code }) => language_code);
  const canonical = parseLocale(code);
  const found =
    codes.find((other) => other === code) ??
    codes.find((other) => canonical !== undefined && parseLocale(other) === canonical);
  if (found !== undefined) return found;
  const there = codes.length === 0 ? 'none' : codes.map(oneLine).join(', ');
  throw new DragomanError('not_found', `job ${job.id} has no translated file for ${code}`, {
    hint: `It is ${job.status}; files: ${there}.`,
  });
}
