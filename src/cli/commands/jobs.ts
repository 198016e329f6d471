import { resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { JOB_FORMATS, listTitles } from '../../formats/registry.ts';
import { openFile, type OpenFile } from '../../documents/localization/open-file.ts';
import { parseLocale } from '../../languages/locale.ts';
import type { JobService } from '../../service/service.ts';
import type { CommandContext, CommandGroup, CommandModule } from '../output/command.ts';
import { type ExitCode, OK } from '../output/exit-code.ts';
import { positiveNumber } from '../options/engine.ts';
import {
  createJob,
  createRequest,
  download,
  prepareUpload,
  reportNewJob,
  requireJobId,
  requireJobIds,
  watchJobs,
  withJobs,
} from '../documents/jobs/operations.ts';
import { acceptFor, acceptReadable, reportFailedKeys } from '../documents/jobs/translate-files.ts';
import {
  describeJob,
  requireNewDownloads,
  downloadDocument,
  exitCodeOfJobs,
  findLanguage,
  jobLine,
  keysOf,
  listDownloads,
} from '../documents/jobs/download.ts';
import {
  addLanguageOptions,
  collectCodes,
  type LanguageOptions,
  requireTargets,
  sourceOf,
} from '../options/language.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { addPathListOption } from '../documents/destinations.ts';
import { confirm } from '../terminal/input.ts';
import { addRemoteOptions, addServiceAccessOptions, type ServiceFlags } from '../options/service.ts';
import { oneLine } from '../terminal/terminal.ts';

export const jobs: CommandGroup = {
  examples: [
    [
      'dragoman jobs create app.json -s en -t fr,es --watch -o out',
      'create, wait and download in one command',
    ],
    ['dragoman jobs list', 'the jobs of the account, the newest first'],
  ],

  commands: [
    {
      name: 'create',
      summary: 'create a job that translates a localization file into several languages',
      load: () => createCommand,
    },
    { name: 'list', summary: 'list the jobs of the account, the newest first', load: () => listCommand },
    {
      name: 'status',
      summary: 'show the progress of a job and its translated files',
      load: () => statusCommand,
    },
    {
      name: 'watch',
      summary: 'wait for jobs and show their progress; the exit code is that of the jobs',
      load: () => watchCommand,
    },
    { name: 'download', summary: 'write the translated files of a job', load: () => downloadCommand },
    {
      name: 'delete',
      summary: 'delete jobs and their files from the service permanently',
      load: () => deleteCommand,
    },
  ],
};

interface NewJobFlags extends LanguageOptions, ServiceFlags, DryRunFlags {
  readonly webhookUrl?: string;
  readonly watch?: boolean;
  readonly delete?: boolean;
  readonly output?: string;
  readonly force?: boolean;
}

const createCommand: CommandModule<NewJobFlags> = {
  examples: [
    ['dragoman jobs create app.json -s en -t fr,es', 'print the id of a new job'],
    [
      'dragoman jobs create app.json -t fr --watch -o out --delete',
      'wait, download, and leave nothing behind',
    ],
  ],
  configure(command) {
    command.argument('<file>', `a ${listTitles(JOB_FORMATS.values())} file of at most 10 MiB`);
    addLanguageOptions(command);
    command
      .option('--webhook-url <url>', 'HTTPS URL that the service calls when the job ends')
      .option('--watch', 'wait for the job; the exit code is 7 if it is partial, 1 if it failed')
      .option('-o, --output <directory>', 'with --watch: download the translations into this directory')
      .option('--force', 'with -o: replace existing files')
      .option('--delete', 'with -o: delete the job after its files are downloaded');
    addDryRunOption(command, 'only check the file, and print what the job costs');
    addPathListOption(command);
    addServiceAccessOptions(command);
  },

  async run([file = ''], flags, context) {
    const { terminal, output } = context;
    if (flags.output !== undefined && !flags.watch) throw needs('-o', '--watch');
    if (flags.delete && flags.output === undefined)
      throw needs('--delete', '-o, so that the translations are kept');
    const wanted = { source: sourceOf(flags), targets: requireTargets(flags), webhookUrl: flags.webhookUrl };
    const request = createRequest(wanted);
    const upload = await prepareUpload(resolve(terminal.cwd, file));
    if (flags.dryRun) return reportNewJob(upload.path, wanted, output);
    // Read before the job is paid for: the file may change during the job.
    if (flags.output !== undefined)
      requireNewDownloads(resolve(terminal.cwd, flags.output), upload.path, wanted.targets, flags);
    const original =
      flags.output === undefined ? undefined : await openFile(upload.path, { locale: wanted.source });
    return withJobs(flags, context, async (jobs) => {
      const created = await createJob(jobs, request, upload, context);
      if (flags.watch)
        return finishJob(
          jobs,
          created.job_id,
          { flags, original, language: request.source_language },
          context,
        );
      return output.answer(created, () => {
        output.result(created.job_id);
        output.message(`to wait for it: dragoman jobs watch ${created.job_id}`);
      });
    });
  },
};

interface NewJob {
  readonly flags: NewJobFlags;
  /** The file in its state when the job was created. */
  readonly original: OpenFile | undefined;
  readonly language: string;
}

async function finishJob(
  jobs: JobService,
  id: string,
  { flags, original, language }: NewJob,
  context: CommandContext,
): Promise<ExitCode> {
  const { output, terminal } = context;
  const { signal } = terminal;
  // Reported immediately, because the job exists even if watching fails.
  output.message(`created job ${id}`);
  const [done] = await watchJobs(jobs, [id], context);
  const job = await jobs.jobStatus(id, { signal });
  const directory = resolve(terminal.cwd, flags.output ?? '.');
  const plan = { directory, languages: undefined, replace: flags.force === true, signal };
  const files =
    original && job.translated_files.length > 0
      ? await download(jobs, job, { ...plan, accept: acceptFor(original, language, signal) }, context)
      : undefined;
  // A job without files is kept, because it contains the reason for its failure.
  const isDeleted = flags.delete === true && files !== undefined;
  if (isDeleted) await jobs.deleteJob(id, { signal });
  if (output.json) output.document({ ...job, ...(files && { downloads: downloadDocument(files) }) });
  else {
    if (!files) output.result(id);
    if (job.status !== 'completed') output.problem(jobLine(job));
  }
  const ended = exitCodeOfJobs([done ?? job]);
  const failed = original && files ? reportFailedKeys(original.path, files, output) : OK;
  return ended === OK ? failed : ended;
}

function needs(option: string, other: string): DragomanError {
  return new DragomanError('usage', `${option} requires ${other}`);
}

const listCommand: CommandModule<ServiceFlags> = {
  examples: [
    ['dragoman jobs list', 'a table of all jobs, the newest first'],
    ['dragoman jobs list --json', 'the same list, as the service reports it'],
  ],
  configure: addServiceAccessOptions,

  async run(_args, flags, context) {
    const { terminal, output } = context;
    const all = await withJobs(flags, context, (jobs) => jobs.listJobs({ signal: terminal.signal }));
    const rows = all.map((job) => [
      job.id,
      job.status,
      keysOf(job),
      job.target_languages.map(oneLine).join(','),
      oneLine(job.created_at),
      oneLine(job.original_filename),
    ]);
    return output.answer(all, () => {
      if (rows.length === 0) output.message('no jobs');
      else output.table([LIST_HEAD, ...rows]);
    });
  },
};

const LIST_HEAD = ['job', 'status', 'translated', 'languages', 'created', 'file'];

const statusCommand: CommandModule<ServiceFlags> = {
  examples: [
    ['dragoman jobs status 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', 'its progress'],
    ['dragoman jobs status 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b --json', 'with the addresses of its files'],
  ],
  configure(command) {
    command.argument('<id>', 'the job');
    addServiceAccessOptions(command);
  },

  async run([argument = ''], flags, context) {
    const { terminal, output } = context;
    const id = requireJobId(argument);
    const job = await withJobs(flags, context, (jobs) => jobs.jobStatus(id, { signal: terminal.signal }));
    return output.answer(job, () => output.table(describeJob(job)));
  },
};

const watchCommand: CommandModule<ServiceFlags> = {
  examples: [
    ['dragoman jobs watch 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', 'wait for a job; Ctrl-C leaves it running'],
    [
      'dragoman jobs watch 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b --timeout 600 --json',
      'wait at most ten minutes; print the jobs as the service reports them',
    ],
  ],
  configure(command) {
    command.argument('<id...>', 'the jobs');
    addRemoteOptions(command);
    command.option('--timeout <seconds>', 'stop watching after this time; the jobs continue', positiveNumber);
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

interface DownloadFlags extends ServiceFlags, DryRunFlags {
  readonly target?: readonly string[];
  readonly all?: boolean;
  readonly output?: string;
  readonly source?: string;
  readonly force?: boolean;
}

const downloadCommand: CommandModule<DownloadFlags> = {
  examples: [
    ['dragoman jobs download 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b -o out', 'all languages'],
    [
      'dragoman jobs download 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b -t fr',
      'one language, into this directory',
    ],
  ],
  configure(command) {
    command
      .argument('<id>', 'the job')
      .option('-t, --target <codes>', 'only these languages, separated by commas or repeated', collectCodes)
      .option('--all', 'all languages that have a file (the default without -t)')
      .option('-o, --output <directory>', 'where the files go; default: this directory')
      .option('--source <file>', 'the source file of the job; drops values that do not verify against it')
      .option('--force', 'replace existing files');
    addDryRunOption(command);
    addPathListOption(command);
    addServiceAccessOptions(command);
  },

  async run([argument = ''], flags, context) {
    const { terminal, output } = context;
    const { signal } = terminal;
    const id = requireJobId(argument);
    if (flags.all && flags.target) throw new DragomanError('usage', '--all and -t are mutually exclusive');
    const path = flags.source === undefined ? undefined : resolve(terminal.cwd, flags.source);
    const files = await withJobs(flags, context, async (jobs) => {
      const job = await jobs.jobStatus(id, { signal });
      const plan = {
        directory: resolve(terminal.cwd, flags.output ?? '.'),
        languages: flags.target?.map((code) => findLanguage(job, code)),
        replace: flags.force === true,
        signal,
      };
      if (flags.dryRun) return listDownloads(job, plan, output);
      const language = parseLocale(job.source_language);
      const original = path === undefined ? undefined : await openFile(path, { locale: language });
      const accept = original ? acceptFor(original, language ?? 'auto', signal) : acceptReadable;
      return download(jobs, job, { ...plan, accept }, context);
    });
    const document = { job_id: id, files: downloadDocument(files) };
    if (output.json) output.document({ ...(flags.dryRun && { dry_run: true }), ...document });
    if (path !== undefined) return reportFailedKeys(path, files, output);
    if (!flags.dryRun) output.message('not compared with the source: name it with --source FILE');
    return OK;
  },
};

interface DeletionFlags extends ServiceFlags, DryRunFlags {
  readonly yes?: boolean;
  readonly input?: boolean;
}

const deleteCommand: CommandModule<DeletionFlags> = {
  examples: [
    ['dragoman jobs delete 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', 'ask, and delete the job with its files'],
    ['dragoman jobs delete 1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b --yes', 'in a script'],
  ],
  configure(command) {
    command.argument('<id...>', 'the jobs').option('-y, --yes', 'do not ask');
    addDryRunOption(command, 'only print which jobs would be deleted');
    addServiceAccessOptions(command);
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    const ids = requireJobIds(args);
    if (flags.dryRun) {
      const { signal } = terminal;
      const found = await withJobs(flags, context, (jobs) =>
        Promise.all(ids.map((id) => jobs.jobStatus(id, { signal }))),
      );
      return output.answer({ dry_run: true, jobs: found }, () => {
        for (const job of found) output.result(jobLine(job));
      });
    }
    if (!flags.yes && !(await confirmDeletion(ids, flags, context))) {
      output.message('nothing was deleted');
      return OK;
    }
    const deleted: object[] = [];
    await withJobs(flags, context, async (jobs) => {
      for (const id of ids) {
        const { message } = await jobs.deleteJob(id, { signal: terminal.signal });
        deleted.push({ job_id: id, message });
        output.message(`deleted job ${id}`);
      }
    });
    if (output.json) output.document(deleted.length === 1 ? deleted[0] : deleted);
    return OK;
  },
};

/** @throws DragomanError `usage` without a terminal */
async function confirmDeletion(
  ids: readonly string[],
  { input }: DeletionFlags,
  { terminal }: CommandContext,
): Promise<boolean> {
  if (terminal.stdin.isTTY !== true || input === false) {
    throw new DragomanError('usage', 'deleting is permanent, and there is no terminal to confirm it', {
      hint: 'Add --yes.',
    });
  }
  const what = ids.length === 1 ? `job ${ids[0] ?? ''}` : `${ids.length} jobs`;
  return confirm(terminal, `Delete ${what} with the original and all translations? This is permanent.`);
}
