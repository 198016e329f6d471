import type { CommandModule } from '../../command.ts';
import { addExamples } from '../../examples.ts';
import { OK } from '../../exit-code.ts';
import { keysOf } from '../../jobs/report.ts';
import { withJobs } from '../../jobs/operations.ts';
import { addThereOptions, type ServiceFlags } from '../../service/options.ts';
import { columns } from '../../table.ts';
import { oneLine } from '../../terminal.ts';

export const list: CommandModule<ServiceFlags> = {
  configure(command) {
    addThereOptions(command);
    addExamples(command, [
      ['dragoman jobs list', 'a table of all jobs, the newest first'],
      ['dragoman jobs list --json', 'the same as the service reports it'],
    ]);
  },

  async run(_args, flags, context) {
    const { terminal, output } = context;
    const all = await withJobs(flags, context, (jobs) => jobs.listJobs({ signal: terminal.signal }));
    if (output.json) {
      output.document(all);
      return OK;
    }
    const rows = all.map((job) => [
      job.id,
      job.status,
      keysOf(job),
      job.target_languages.map(oneLine).join(','),
      oneLine(job.created_at),
      oneLine(job.original_filename),
    ]);
    if (rows.length === 0) output.message('no jobs');
    else for (const line of columns([HEAD, ...rows])) output.result(line);
    return OK;
  },
};

const HEAD = ['job', 'status', 'translated', 'languages', 'created', 'file'];
