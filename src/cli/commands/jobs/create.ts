import { resolve } from 'node:path';
import { JOB_FORMATS, listTitles } from '../../../formats/registry.ts';
import { DragomanError } from '../../../base/errors.ts';
import type { CommandContext, CommandModule } from '../../command.ts';
import { addExamples } from '../../examples.ts';
import { OK, type ExitCode } from '../../exit-code.ts';
import { downloadDocument, exitCodeOfJobs, jobLine } from '../../jobs/report.ts';
import { createJob, download, watchJobs, withJobs } from '../../jobs/operations.ts';
import { createRequest, prepareUpload } from '../../jobs/upload.ts';
import {
  addLanguageOptions,
  requireTargets,
  sourceOf,
  type LanguageOptions,
} from '../../language-options.ts';
import { addThereOptions, type ServiceFlags } from '../../service/options.ts';
import type { JobService } from '../../../service/jobs.ts';

interface Flags extends LanguageOptions, ServiceFlags {
  readonly webhookUrl?: string;
  readonly watch?: boolean;
  readonly delete?: boolean;
  readonly output?: string;
}

export const create: CommandModule<Flags> = {
  configure(command) {
    command.argument('<file>', `a ${listTitles(JOB_FORMATS.values())} file of at most 10 MiB`);
    addLanguageOptions(command);
    command
      .option('--webhook-url <url>', 'an https address that the service calls when the job is finished')
      .option('--watch', 'wait for the job; the exit code is 7 when it is partial, 1 when it failed')
      .option('-o, --output <directory>', 'with --watch: download the translations into it')
      .option('--delete', 'with -o: delete the job when its files are downloaded');
    addThereOptions(command);
    addExamples(command, [
      ['dragoman jobs create app.json -s en -t fr,es', 'print the id of a new job'],
      [
        'dragoman jobs create app.json -t fr --watch -o out --delete',
        'wait, download, and leave nothing behind',
      ],
    ]);
  },

  async run([file = ''], flags, context) {
    const { terminal, output } = context;
    if (flags.output !== undefined && !flags.watch) throw needs('-o', '--watch');
    if (flags.delete && flags.output === undefined)
      throw needs('--delete', '-o, which keeps the translations');
    const wishes = { source: sourceOf(flags), targets: requireTargets(flags), webhookUrl: flags.webhookUrl };
    const request = createRequest(wishes);
    const upload = await prepareUpload(resolve(terminal.cwd, file));
    return withJobs(flags, context, async (jobs) => {
      const created = await createJob(jobs, request, upload, context);
      if (flags.watch) return finish(jobs, created.job_id, flags, context);
      if (output.json) output.document(created);
      else {
        output.result(created.job_id);
        output.message(`to wait for it: dragoman jobs watch ${created.job_id}`);
      }
      return OK;
    });
  },
};

async function finish(
  jobs: JobService,
  id: string,
  flags: Flags,
  context: CommandContext,
): Promise<ExitCode> {
  const { output, terminal } = context;
  const { signal } = terminal;
  // On standard error and at once: whatever happens to the watch, the job is there.
  output.message(`created job ${id}`);
  const [done] = await watchJobs(jobs, [id], context);
  const job = await jobs.jobStatus(id, { signal });
  const directory = flags.output === undefined ? undefined : resolve(terminal.cwd, flags.output);
  const files =
    directory === undefined || job.translated_files.length === 0
      ? undefined
      : await download(jobs, job, { directory, languages: undefined, replace: true, signal }, context);
  // A job without files says why it failed: it stays to be looked at.
  const isDeleted = flags.delete === true && files !== undefined;
  if (isDeleted) await jobs.deleteJob(id, { signal });
  if (output.json) output.document({ ...job, ...(files && { downloads: downloadDocument(files) }) });
  else {
    if (!files) output.result(id);
    if (job.status !== 'completed') output.problem(jobLine(job));
  }
  return exitCodeOfJobs([done ?? job]);
}

function needs(option: string, other: string): DragomanError {
  return new DragomanError('usage', `${option} goes with ${other}`);
}
