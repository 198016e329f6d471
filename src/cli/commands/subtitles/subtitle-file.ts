import { extname, resolve } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import { readInput } from '../../../documents/localization/open-file.ts';
import type { SubtitleOptions } from '../../../documents/subtitles/translate-subtitles.ts';
import { decode, type Decoded } from '../../../formats/encoding.ts';
import { problemError, type SubtitleDocument } from '../../../formats/subtitles/document.ts';
import {
  scanSubtitles,
  SUBTITLE_EXTENSIONS,
  type SubtitleFormat,
  subtitleFormatOfPath,
  subtitleFormatOfText,
  subtitleNotation,
} from '../../../formats/subtitles/format.ts';
import { nameWithLanguage } from '../../documents/destinations.ts';
import type { DocumentFlags } from '../../documents/options.ts';
import type { Opened } from '../../documents/open-each.ts';
import { type DocumentJob, type NamedFile, planJobs, type Planned } from '../../documents/run.ts';
import { readStandardBytes } from '../../terminal/input.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** A subtitle file that was read and scanned. Holds no handle. */
export interface SubtitleFile extends NamedFile {
  readonly format: SubtitleFormat;
  readonly document: SubtitleDocument;
  readonly decoded: Decoded;
}

interface SubtitleOpening {
  /** What the result is to be: a file with another extension may be opened then. */
  readonly format?: SubtitleFormat;
  readonly encoding?: string;
  /** Refuses a file with anything that cannot be read. */
  readonly strict?: boolean;
  /** Frames a second of a MicroDVD file that does not name them. */
  readonly fps?: number;
}

/**
 * Reads a file, or standard input for `-`. By its first line one with another extension is WebVTT or SubRip, like
 * standard input.
 *
 * @throws DragomanError `usage` for another extension without a format, `unreadable_input` with the file's name and the
 * place.
 */
export async function openSubtitles(
  path: string,
  options: SubtitleOpening,
  terminal: Terminal,
): Promise<SubtitleFile> {
  const source: Source =
    path === '-'
      ? { name: 'standard input', path: undefined, format: undefined }
      : { name: path, path, format: subtitleFormatOfPath(path) };
  if (path === '-') return read(await readStandardBytes(terminal), source, options);
  const bytes = await readInput(path);
  if (!source.format && !options.format) {
    throw new DragomanError('usage', `${path} is not named as a subtitle file`, {
      hint: `Known extensions: ${SUBTITLE_EXTENSIONS.join(', ')}. With --format, a file may have any name.`,
    });
  }
  return read(bytes, source, options);
}

interface Source extends Pick<SubtitleFile, 'name' | 'path'> {
  /** As its name says. */
  readonly format: SubtitleFormat | undefined;
}

async function read(
  bytes: Uint8Array,
  { name, path, format: named }: Source,
  { encoding, strict = false, fps }: SubtitleOpening,
): Promise<SubtitleFile> {
  try {
    const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1').replace(/^ï»¿/, '');
    const declaredBy = subtitleNotation(named ?? subtitleFormatOfText(head));
    const decoded = await decode(bytes, 'subtitles', encoding ?? declaredBy.charset?.find(head));
    const format = named ?? subtitleFormatOfText(decoded.text);
    const document = scanSubtitles(decoded.text, format, { fps });
    const [problem] = document.problems;
    if (strict && problem) throw problemError(document.text, problem);
    return { name, path, format, document, decoded };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(name) : error;
  }
}

/**
 * The bytes of a result: encoded as its source, or as UTF-8 where that cannot hold it, and where it becomes one of a
 * format that is always in UTF-8.
 */
export function encodeResult(
  { decoded, format }: SubtitleFile,
  content: string,
  to: SubtitleFormat,
): { readonly bytes: Uint8Array; readonly charset: string } {
  const { charset, bom } = decoded.encoding;
  const converted = to !== format && subtitleNotation(to).isUtf8 === true && charset !== 'utf-8';
  if (!converted && decoded.encodable(content)) return { bytes: decoded.encode(content), charset };
  return { bytes: Buffer.from(bom && charset === 'utf-8' ? `\ufeff${content}` : content), charset: 'utf-8' };
}

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
