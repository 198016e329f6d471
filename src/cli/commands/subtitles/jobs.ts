import { extname, resolve } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import type { SubtitleOptions } from '../../../documents/subtitles/translate-subtitles.ts';
import {
  type SubtitleFormat,
  subtitleFormatOfPath,
  subtitleNotation,
} from '../../../formats/subtitles/format.ts';
import { nameWithLanguage } from '../../documents/destinations.ts';
import type { DocumentFlags } from '../../documents/options.ts';
import type { Opened } from '../../documents/open-each.ts';
import { type DocumentJob, planJobs, type Planned } from '../../documents/run.ts';
import type { SubtitleFile } from '../../documents/subtitle-file.ts';

export interface SubtitleFlags extends DocumentFlags, SubtitleOptions {
  readonly format?: SubtitleFormat;
  readonly encoding?: string;
  readonly strict?: boolean;
  /** Most characters a second. */
  readonly maxCps?: number;
  readonly fps?: number;
  /** Milliseconds. */
  readonly shift?: number;
  readonly stretch?: number;
  /** Reads only, and reports what is hard to read. */
  readonly check?: boolean;
}

/** One result: a file in one language or, without a target, in another format only. */
export interface SubtitleJob extends DocumentJob<SubtitleFile, string | undefined> {
  readonly to: SubtitleFormat;
}

/**
 * What is to be made of the files, and where it goes: standard input, and a single file that is only converted, to
 * standard output. A file that is named with `-o` says the format too.
 *
 * @throws DragomanError `usage` when there is nothing to do, and as `chooseDestinations`.
 */
export async function planSubtitles(
  { files, unreadable }: Opened<SubtitleFile>,
  targets: readonly string[] | undefined,
  flags: SubtitleFlags,
  cwd: string,
): Promise<Planned<SubtitleJob>> {
  const format = flags.format ?? formatOfOutput(flags.output);
  if (!targets && format === undefined && !changesTimes(flags)) {
    throw new DragomanError('usage', 'nothing to do', {
      hint: 'Name target languages with -t, such as -t fr,es, another format with --format, or --check.',
    });
  }
  const formatOf = (file: SubtitleFile): SubtitleFormat => format ?? file.format;
  const { jobs, skipped } = await planJobs(
    {
      files,
      unreadable,
      targets: targets ?? [undefined],
      nameOf: (file, target) =>
        nameWithLanguage(file.path ?? resolve(cwd, 'stdin'), target, extensionFor(file, formatOf(file))),
    },
    { flags, cwd, prefersStandardOutput: !targets || files.every(({ path }) => path === undefined) },
  );
  return { jobs: jobs.map((job) => ({ ...job, to: formatOf(job.file) })), skipped };
}

/** Whether the results have other times than their sources. */
export function changesTimes({ shift, stretch }: Pick<SubtitleFlags, 'shift' | 'stretch'>): boolean {
  return shift !== undefined || stretch !== undefined;
}

/** The file's own where its format stays: `.ssa`, `.dfxp`. */
function extensionFor({ path, format }: SubtitleFile, to: SubtitleFormat): string {
  const isNamed = path !== undefined && subtitleFormatOfPath(path) === to && format === to;
  return isNamed ? extname(path) : `.${subtitleNotation(to).extensions[0]}`;
}

function formatOfOutput(output: string | undefined): SubtitleFormat | undefined {
  return output === undefined || extname(output) === '' ? undefined : subtitleFormatOfPath(output);
}
