import { basename } from 'node:path';
import type { DragomanError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import { OK, PARTIAL, type ExitCode } from '../exit-code.ts';
import type { Output, Progress } from '../output.ts';
import {
  chooseDestinations,
  STDOUT,
  type Destination,
  type DestinationRules,
  type Wanted,
} from './destinations.ts';
import type { UnreadableFile } from './open-each.ts';
import { doTasks, type Done } from './tasks.ts';
import { printUnavailable } from './unavailable.ts';
import { writeOutput } from './write-output.ts';

/** A file that was read, as the user knows it. */
export interface NamedFile {
  /** For messages. */
  readonly name: string;
  /** Absolute; undefined: standard input. */
  readonly path: string | undefined;
  /** Where it stands below a directory that the command line names. */
  readonly below?: string | undefined;
}

/** A result that is wanted of a file: its translation into a language. */
export interface DocumentJob<File extends NamedFile, Target = string> {
  readonly file: File;
  readonly target: Target;
  readonly destination: Destination;
}

export interface Result {
  readonly bytes: Uint8Array;
  /** The texts are those of the source: where the work was ended, nothing of this job was done. */
  readonly isUntouched: boolean;
  readonly failures: readonly unknown[];
}

/** A file that is written beside a result, and again with it. */
export interface Companion {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export type Written<J, R> = J & R & { readonly companion?: Companion | undefined };

export interface Planned<J> {
  readonly jobs: readonly J[];
  /** Paths that `--skip-existing` leaves alone. */
  readonly skipped: readonly string[];
}

export interface Plan<File, Target> {
  readonly files: readonly File[];
  /** Files of the command line that could not be read: a result for one file is not single with them. */
  readonly unreadable: readonly UnreadableFile[];
  readonly targets: readonly Target[];
  /** What the file of a result is called. */
  readonly nameOf: (file: File, target: Target) => string;
}

/** Names the outputs of all jobs before the first is done. @throws DragomanError as {@link chooseDestinations}. */
export async function planJobs<File extends NamedFile, Target>(
  { files, unreadable, targets, nameOf }: Plan<File, Target>,
  rules: Omit<DestinationRules, 'isSingle'>,
): Promise<Planned<DocumentJob<File, Target>>> {
  const pairs = files.flatMap((file) => targets.map((target) => ({ file, target })));
  const wanted = pairs.map(({ file, target }): Wanted => ({
    input: file.path,
    name: nameOf(file, target),
    below: file.below,
  }));
  const isSingle = files.length + unreadable.length === 1 && targets.length === 1;
  const { places, existing } = await chooseDestinations(wanted, { ...rules, isSingle });
  const jobs = pairs.flatMap((pair, i): readonly DocumentJob<File, Target>[] => {
    const destination = places[i];
    return destination === undefined ? [] : [{ ...pair, destination }];
  });
  return { jobs, skipped: existing };
}

export interface Work<J, R extends Result> {
  readonly translate: (job: J, progress: Progress) => Promise<R>;
  /** What keeps further jobs from being done. Default: nothing. */
  readonly stopped?: (() => DragomanError | undefined) | undefined;
  /** Default: one after the other. */
  readonly atOnce?: number | undefined;
  /** Makes what is written beside a result, before either is written. */
  readonly accompany?: ((job: J, result: R) => Promise<Companion | undefined>) | undefined;
  /** Prints a result that goes to standard output, where its bytes are not all of it. */
  readonly print?: ((written: Written<J, R>) => void) | undefined;
}

/**
 * Does the jobs and writes each result when it is there: what is done is kept whatever becomes of the others. Languages
 * that no engine has are reported.
 *
 * @throws DragomanError as {@link doTasks}
 */
export async function runJobs<J extends DocumentJob<NamedFile, string | undefined>, R extends Result>(
  jobs: readonly J[],
  { translate, stopped = () => undefined, atOnce, accompany, print }: Work<J, R>,
  { output }: Pick<CommandContext, 'output'>,
): Promise<Done<J, Written<J, R>>> {
  const progress = await output.progress();
  const task = async (job: J): Promise<Written<J, R>> => {
    progress.update(labelOf(job));
    const result = await translate(job, progress);
    const stop = stopped();
    if (stop && result.isUntouched) throw stop;
    const companion = await accompany?.(job, result);
    const written = { ...job, ...result, companion };
    if (job.destination !== STDOUT) await writeOutput(job.destination, result.bytes);
    else if (print) print(written);
    else if (!output.json) output.content(result.bytes);
    if (companion) await writeOutput(companion.path, companion.bytes);
    return written;
  };
  try {
    const done = await doTasks(jobs, task, { stopped, atOnce });
    for (const { item, error } of done.unavailable)
      printUnavailable(item.file.name, item.target ?? '', error, output);
    return done;
  } finally {
    progress.stop();
  }
}

/** What a progress line says of a job. */
export function labelOf({ file, target }: DocumentJob<NamedFile, string | undefined>): string {
  return target === undefined ? basename(file.name) : `${basename(file.name)} → ${target}`;
}

/** The path of a result in the document of `--json`. */
export function pathOf({ destination }: Pick<DocumentJob<NamedFile>, 'destination'>): string | null {
  return destination === STDOUT ? null : destination;
}

/** Ends a command: with the document of `--json`, the error that ended the work, and an exit code. */
export function finish(
  { done, unavailable, error }: Done<unknown, Pick<Result, 'failures'>>,
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
