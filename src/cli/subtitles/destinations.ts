import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import type { SubtitleFormat } from '../../formats/subtitles/document.ts';
import { subtitleFormatOfPath } from '../../formats/subtitles/format.ts';
import type { SubtitleFile } from './subtitle-file.ts';

/** One result: a file in one language, or in another format. */
export interface Job {
  readonly file: SubtitleFile;
  /** Undefined: converted only. */
  readonly target: string | undefined;
  readonly to: SubtitleFormat;
  /** Undefined: standard output. */
  readonly path: string | undefined;
}

export interface Wishes {
  readonly targets: readonly string[] | undefined;
  readonly format: SubtitleFormat | undefined;
  /** `-o`, as given. */
  readonly output: string | undefined;
  readonly cwd: string;
  /** Whether the command line has one file: of those it has, some may be unreadable. */
  readonly isOneNamed: boolean;
}

/**
 * What is to be made of the files and where it goes: `{name}.{lang}.{ext}` beside the source or in a directory, one
 * named file, or standard output, which is also where standard input and a single converted file go.
 *
 * @throws DragomanError `usage` when there is nothing to do, two results have one place, or one would replace a source.
 */
export async function planJobs(files: readonly SubtitleFile[], wishes: Wishes): Promise<readonly Job[]> {
  const { targets, output, cwd, isOneNamed } = wishes;
  const named = output !== undefined && output !== '-' ? resolve(cwd, output) : undefined;
  const namedFormat =
    named === undefined || (await isDirectory(named)) ? undefined : subtitleFormatOfPath(named);
  const format = wishes.format ?? namedFormat;
  if (!targets && format === undefined) {
    throw new DragomanError('usage', 'nothing to do', {
      hint: 'Name target languages with -t, such as -t fr,es, or another format with --format.',
    });
  }
  const pairs = files.flatMap((file) => (targets ?? [undefined]).map((target) => ({ file, target })));
  const single = isOneNamed && pairs.length === 1;
  if (!single && (output === '-' || namedFormat)) {
    throw new DragomanError(
      'usage',
      `several results do not go into ${output === '-' ? 'standard output' : output}`,
      {
        hint: 'Name a directory with -o.',
      },
    );
  }
  const toStandardOutput = (file: SubtitleFile): boolean =>
    output === '-' || (output === undefined && single && (file.path === undefined || !targets));
  const jobs = pairs.map(({ file, target }): Job => {
    const to = format ?? file.format;
    if (toStandardOutput(file)) return { file, target, to, path: undefined };
    return { file, target, to, path: namedFormat ? named : pathOf(file, target, to, named) };
  });
  requireDistinct(jobs, files);
  return jobs;
}

function pathOf(
  file: SubtitleFile,
  target: string | undefined,
  to: SubtitleFormat,
  directory: string | undefined,
): string {
  const source = file.path ?? resolve('stdin');
  const name = basename(source, extname(source));
  return join(directory ?? dirname(source), `${name}${target === undefined ? '' : `.${target}`}.${to}`);
}

function requireDistinct(jobs: readonly Job[], files: readonly SubtitleFile[]): void {
  const sources = new Set(files.map((file) => file.path));
  const origins = new Map<string, string>();
  for (const { path, file } of jobs) {
    if (path === undefined) continue;
    if (sources.has(path)) {
      throw new DragomanError('usage', `the result would replace its source ${path}`, {
        hint: 'Name another place with -o.',
      });
    }
    const other = origins.get(path);
    if (other !== undefined) {
      throw new DragomanError('usage', `${other} and ${file.name} would both be written to ${path}`);
    }
    origins.set(path, file.name);
  }
}

/** Results that are not there yet. */
export async function withoutExisting(
  jobs: readonly Job[],
): Promise<{ readonly open: readonly Job[]; readonly skipped: readonly string[] }> {
  const open: Job[] = [];
  const skipped: string[] = [];
  for (const job of jobs) {
    if (job.path !== undefined && (await stat(job.path).catch(() => undefined))) skipped.push(job.path);
    else open.push(job);
  }
  return { open, skipped };
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
