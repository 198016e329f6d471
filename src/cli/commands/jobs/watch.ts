import { Option } from 'commander';
import type { CommandModule } from '../../command.ts';
import { positive } from '../../engine-options.ts';
import { addExamples } from '../../examples.ts';
import { requireJobIds } from '../../jobs/options.ts';
import { exitCodeOfJobs, jobLine } from '../../jobs/report.ts';
import { watchJobs, withJobs } from '../../jobs/operations.ts';
import { addRemoteOptions, type ServiceFlags } from '../../service/options.ts';

export const watch: CommandModule<ServiceFlags> = {
  configure(command) {
    command.argument('<id...>', 'the jobs');
    addRemoteOptions(command);
    command.addOption(
      new Option('--timeout <seconds>', 'stop watching after this time; the jobs continue').argParser(
        positive,
      ),
    );
    addExamples(command, [
      [
        'dragoman jobs watch 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b',
        'wait for a job; Ctrl-C leaves it running',
      ],
      [
        'dragoman jobs watch 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b --timeout 600 --json',
        'wait at most ten minutes; print the jobs as the service reports them',
      ],
    ]);
  },

  async run(args, { timeout, ...flags }, context) {
    const { output } = context;
    const ids = requireJobIds(args);
    const done = await withJobs(flags, context, (jobs) => watchJobs(jobs, ids, context, timeout));
    if (output.json) output.document(done.length === 1 ? done[0] : done);
    else for (const job of done) output.result(jobLine(job));
    return exitCodeOfJobs(done);
  },
};
