import { basename } from 'node:path';
import { DragomanError, traitsOf } from '../../base/errors.ts';
import type { CommandContext } from '../output/command.ts';
import { type ExitCode, OK, PARTIAL } from '../output/exit-code.ts';
import type { Output } from '../output/output.ts';
import type { Progress } from '../terminal/progress.ts';
import { pluralize, digits } from '../terminal/table.ts';
import {
  chooseDestinations,
  type Destination,
  type DestinationRules,
  STDOUT,
  type WantedOutputs,
  writeOutput,
} from './destinations.ts';
import { printUnavailable, type UnreadableFile } from './open-each.ts';

/** An open file with its displayed name. */
export interface NamedFile {
  /** The name for messages. */
  readonly name: string;
  /** The absolute path; undefined for standard input. */
  readonly path: string | undefined;
  /** The location relative to a directory argument. */
  readonly below?: string | undefined;
}

/** A requested result: the translation of a file into a language. */
export interface DocumentJob<File extends NamedFile, Target = string> {
  readonly file: File;
  readonly target: Target;
  readonly destination: Destination;
  /** Whether the result must not replace an existing file. */
  readonly isNew?: boolean | undefined;
}

export interface JobsResult {
  readonly bytes: Uint8Array;
  /** Whether the result only has source texts, because the work ended before this job. */
  readonly isUntouched: boolean;
  readonly failures: readonly unknown[];
}

/** A file that is written together with a result, next to it. */
export interface Companion {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A finished job. Results in files are dropped, because a run has one per file and language. */
export type Written<J, R> = J &
  Omit<R, 'bytes'> & {
    /** In bytes. */
    readonly size: number;
    /** The content, if it goes to standard output. */
    readonly bytes?: Uint8Array | undefined;
    /** The path of the companion written next to the result. */
    readonly companion?: string | undefined;
  };

export interface Planned<J> {
  readonly jobs: readonly J[];
  /** Paths that `--skip-existing` keeps. */
  readonly skipped: readonly string[];
}

export interface DocumentJobs<File, Target> {
  readonly files: readonly File[];
  /** The unreadable files. After one of them, a single result does not count as the only one. */
  readonly unreadable: readonly UnreadableFile[];
  readonly targets: readonly Target[];
  /** Returns the file name of a result. */
  readonly nameOf: (file: File, target: Target) => string;
  /** Whether the results of a file are added to it one after the other. Default: each is a separate file. */
  readonly isAddedTo?: ((file: File) => boolean) | undefined;
  /** Whether all results together go to standard output as one. Default: no. */
  readonly isJoined?: boolean | undefined;
}

/**
 * Determines the destinations of all jobs before the first one runs.
 *
 * @throws DragomanError like {@link chooseDestinations}
 */
export async function planJobs<File extends NamedFile, Target>(
  { files, unreadable, targets, nameOf, isAddedTo, isJoined = false }: DocumentJobs<File, Target>,
  rules: Omit<DestinationRules, 'isSingle'>,
): Promise<Planned<DocumentJob<File, Target>>> {
  const pairs = files.flatMap((file) => targets.map((target) => ({ file, target })));
  const wanted = pairs.map(({ file, target }): WantedOutputs => ({
    input: file.path,
    name: nameOf(file, target),
    below: file.below,
    isAdded: isAddedTo?.(file) === true,
  }));
  const isSingle = isJoined || (files.length + unreadable.length === 1 && targets.length === 1);
  const { places, existing } = chooseDestinations(wanted, { ...rules, isSingle });
  const { force = false } = rules.flags;
  const jobs = pairs.flatMap((pair, i): readonly DocumentJob<File, Target>[] => {
    const destination = places[i];
    const isNew = !force && wanted[i]?.isAdded !== true;
    return destination === undefined ? [] : [{ ...pair, destination, isNew }];
  });
  return { jobs, skipped: existing };
}

export interface JobWork<J, R extends JobsResult> {
  readonly translate: (job: J, onProgress: (done: number, total: number) => void) => Promise<R>;
  /** The amount of work in a job, in `unit`s. */
  readonly extentOf: (job: J) => number;
  readonly unit: string;
  /** Returns an error that prevents further jobs. Default: none. */
  readonly stopped?: (() => DragomanError | undefined) | undefined;
  /** The number of concurrent jobs. Default: one. */
  readonly atOnce?: number | undefined;
  /** Creates the companion of a result before either is written. */
  readonly accompany?: ((job: J, result: R) => Promise<Companion | undefined>) | undefined;
  /** Prints a result on standard output, if the result has parts besides its bytes. */
  readonly printContent?: ((result: R, output: Output) => void) | undefined;
}

/**
 * Runs the jobs, and writes each result immediately, so that finished work is kept if others fail. Reports languages
 * that no engine supports.
 *
 * @throws DragomanError like {@link doTasks}
 */
export async function runJobs<J extends DocumentJob<NamedFile, string | undefined>, R extends JobsResult>(
  jobs: readonly J[],
  work: JobWork<J, R>,
  { output }: Pick<CommandContext, 'output'>,
): Promise<TasksResult<J, Written<J, R>>> {
  const { translate, stopped = () => undefined, atOnce, accompany, printContent } = work;
  const progress = output.progress();
  const onProgressOf = progressOfJobs(jobs, work, progress);
  const task = async (job: J): Promise<Written<J, R>> => {
    const onProgress = onProgressOf(job);
    onProgress(0, 1);
    const result = await translate(job, onProgress);
    onProgress(1, 1);
    const stop = stopped();
    if (stop && result.isUntouched) throw stop;
    const companion = await accompany?.(job, result);
    const { bytes, ...report } = result;
    const written = { ...job, ...report, size: bytes.length, companion: companion?.path };
    if (job.destination !== STDOUT) await writeOutput(job.destination, bytes, job);
    else {
      progress.hide();
      if (!output.json && printContent) printContent(result, output);
      else if (!output.json) output.content(bytes);
    }
    if (companion) await writeOutput(companion.path, companion.bytes, job);
    return job.destination === STDOUT ? { ...written, bytes } : written;
  };
  try {
    const done = await doTasks(jobs, task, { stopped, atOnce });
    await progress.stop();
    for (const { item, error } of done.unavailable)
      printUnavailable(item.file.name, item.target ?? '', error, output);
    return { ...done, error: done.error && withKept(done, jobs) };
  } finally {
    await progress.stop();
  }
}

/** After an interruption, the user wants to know which results exist. */
function withKept(
  { done, error }: { readonly done: readonly unknown[]; readonly error?: DragomanError | undefined },
  jobs: readonly unknown[],
): DragomanError | undefined {
  if (error?.code !== 'interrupted') return error;
  const kept = `${digits(done.length)} of ${pluralize(jobs.length, 'file')} are kept`;
  // Errors of a run with a journal have their own hint.
  const hint =
    error.hint === undefined
      ? `${kept}: run the command again with --skip-existing.`
      : `${kept}. ${error.hint}`;
  return new DragomanError(error.code, error.message, { hint, cause: error });
}

/** Collects the shares of all jobs, and shows their sum. */
function progressOfJobs<J extends DocumentJob<NamedFile, string | undefined>>(
  jobs: readonly J[],
  { extentOf, unit }: Pick<JobWork<J, never>, 'extentOf' | 'unit'>,
  progress: Progress,
): (job: J) => (done: number, total: number) => void {
  const extents = jobs.map(extentOf);
  const total = extents.reduce((sum, extent) => sum + extent, 0);
  const shares = jobs.map(() => 0);
  return (job) => {
    const i = jobs.indexOf(job);
    return (done, of) => {
      // A retry restarts its count at zero.
      shares[i] = Math.max(shares[i] ?? 0, done / Math.max(1, of));
      const sum = shares.reduce((all, share, at) => all + Math.floor(share * (extents[at] ?? 0)), 0);
      progress.show({ label: labelOf(job), at: i + 1, of: jobs.length, done: sum, total, unit });
    };
  };
}

function labelOf({ file, target }: DocumentJob<NamedFile, string | undefined>): string {
  return target === undefined ? basename(file.name) : `${basename(file.name)} → ${target}`;
}

/** The path of a result for `--json`. */
export function pathOf({ destination }: Pick<DocumentJob<NamedFile>, 'destination'>): string | null {
  return destination === STDOUT ? null : destination;
}

/** Ends a command with the `--json` document, the error that ended the work, and an exit code. */
export function finish(
  { done, unavailable, error }: TasksResult<unknown, Pick<JobsResult, 'failures'>>,
  unreadable: readonly UnreadableFile[],
  document: object,
  output: Output,
): ExitCode {
  if (error) return output.failure(error, document);
  if (output.json) output.document(document);
  const isWhole =
    unreadable.length + unavailable.length === 0 && done.every(({ failures }) => failures.length === 0);
  return isWhole ? OK : PARTIAL;
}

/** Results in the order of the items, failed items, and the error that ended the work early. */
export interface TasksResult<Item, Result> {
  readonly done: readonly Result[];
  readonly unavailable: readonly Unavailable<Item>[];
  readonly error?: DragomanError | undefined;
}

/** An item that failed for a reason that may not apply to others. */
interface Unavailable<Item> {
  readonly item: Item;
  readonly error: DragomanError;
}

interface TaskLimits {
  /** Returns an error that prevents further tasks, as soon as it is known. */
  readonly stopped: () => DragomanError | undefined;
  /** The number of concurrent tasks. Default: one. */
  readonly atOnce?: number | undefined;
}

/**
 * Runs a task for each item until an error concerns all of them, then waits for the running ones. Finished work may
 * have been paid for, so the error carries it.
 *
 * @throws DragomanError if nothing was done. Items that fail individually are returned, unless all fail for the
 * same reason; an unsupported language pair is always returned.
 */
export async function doTasks<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
  { stopped, atOnce = 1 }: TaskLimits,
): Promise<TasksResult<Item, Result>> {
  const ends: ({ readonly result: Result } | Unavailable<Item> | undefined)[] = [];
  const rest = items.entries();
  let error: DragomanError | undefined;
  let defect: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (const [place, item] of rest) {
      try {
        ends[place] = { result: await task(item) };
        error ??= stopped();
      } catch (failure) {
        if (!(failure instanceof DragomanError)) defect ??= { error: failure };
        else if (isOfItem(failure)) ends[place] = { item, error: failure };
        else error ??= failure;
      }
      if (error ?? defect) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (defect) throw defect.error;
  const done = ends.flatMap((end) => (end && 'result' in end ? [end.result] : []));
  const unavailable = ends.flatMap((end) => (end && 'item' in end ? [end] : []));
  error ??= done.length === 0 ? oneReason(unavailable) : undefined;
  if (error && done.length === 0) throw error;
  return { done, unavailable, error };
}

/** Whether the next item may succeed despite the error, because it has different languages or a different document. */
function isOfItem(error: DragomanError): boolean {
  const { concerns } = traitsOf(error);
  return concerns === 'document' || concerns === 'rendering' || concerns === 'languages';
}

function oneReason(failed: readonly Unavailable<unknown>[]): DragomanError | undefined {
  const [first, ...others] = failed.map(({ error }) => error);
  if (!first || first.code === 'engine_unavailable') return undefined;
  const isShared = others.every(({ code, message }) => code === first.code && message === first.message);
  return isShared ? first : undefined;
}
