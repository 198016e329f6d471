import type { CommandModule } from '../../command.ts';
import { addExamples } from '../../examples.ts';
import { OK } from '../../exit-code.ts';
import { requireJobId } from '../../jobs/options.ts';
import { describeJob } from '../../jobs/report.ts';
import { withJobs } from '../../jobs/operations.ts';
import { addThereOptions, type ServiceFlags } from '../../service/options.ts';
import { columns } from '../../table.ts';

export const status: CommandModule<ServiceFlags> = {
  configure(command) {
    command.argument('<id>', 'the job');
    addThereOptions(command);
    addExamples(command, [
      ['dragoman jobs status 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', 'its progress'],
      ['dragoman jobs status 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b --json', 'with the addresses of its files'],
    ]);
  },

  async run([argument = ''], flags, context) {
    const { terminal, output } = context;
    const id = requireJobId(argument);
    const job = await withJobs(flags, context, (jobs) => jobs.jobStatus(id, { signal: terminal.signal }));
    if (output.json) output.document(job);
    else for (const line of columns(describeJob(job))) output.result(line);
    return OK;
  },
};
