import { basename, extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DragomanError } from '../../../base/errors.ts';
import type { FailedKey } from '../../../documents/localization/translate-file.ts';
import { FILE_TYPES, type Job, type JobWithFiles } from '../../../contract/jobs.ts';
import { translatedName } from '../../../formats/registry.ts';
import { parseLocale } from '../../../languages/locale.ts';
import type { JobService } from '../../../service/service.ts';
import { requireNew, writeOutput } from '../destinations.ts';
import { type ExitCode, OK, PARTIAL } from '../../output/exit-code.ts';
import type { Output } from '../../output/output.ts';
import { pluralize, digits, durationOf, sizeOf } from '../../terminal/table.ts';
import { oneLine } from '../../terminal/terminal.ts';

export interface DownloadPlan {
  readonly directory: string;
  /** Languages in the job's spelling; undefined: all that have files. */
  readonly languages: readonly string[] | undefined;
  /** Whether to replace existing files. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
  /** Turns the service's translation into the file to write. */
  readonly accept: (bytes: Uint8Array, place: DownloadPlace) => Promise<AcceptedTranslation>;
}

export interface DownloadPlace {
  readonly path: string;
  /** The language in the job's spelling. */
  readonly target: string;
}

export interface AcceptedTranslation {
  readonly bytes: Uint8Array;
  /** Keys that kept their source text. */
  readonly failed: readonly FailedKey[];
}

export interface Downloaded {
  readonly language: string;
  readonly path: string;
  readonly size: number;
  readonly failed: readonly FailedKey[];
}

/**
 * Downloads the translated files of a job one after the other. Each is written completely or not at all.
 *
 * @throws DragomanError `not_found` if there is nothing to download, `usage` for an existing file, `contract_violation`
 * for a size that differs from the service's
 */
export async function* downloadFiles(
  service: JobService,
  job: JobWithFiles,
  { directory, languages, replace, signal, accept }: DownloadPlan,
): AsyncGenerator<Downloaded> {
  const taken = new Set<string>();
  for (const language of languages ?? languagesOf(job)) {
    const file = await service.downloadJob(job.id, { language_code: language }, { signal });
    const name = downloadName(file.filename, job.original_filename, language);
    const path = join(directory, name);
    const bytes = await buffer(file.content);
    const listed = job.translated_files.find(({ language_code }) => language_code === language)?.file_size;
    requireSize(bytes.length, file.size ?? listed, name);
    if (taken.has(name.toLowerCase())) {
      throw new DragomanError('usage', `two files of job ${job.id} would be written to ${path}`, {
        hint: 'Download them one by one, with -t and -o.',
      });
    }
    taken.add(name.toLowerCase());
    requireNew([path], { force: replace });
    const accepted = await accept(bytes, { path, target: language });
    await writeOutput(path, accepted.bytes, { isNew: !replace });
    yield { language, path, size: accepted.bytes.length, failed: accepted.failed };
  }
}

/** A language in the job's spelling: a code has several spellings, and the service accepts only one of them. */
export function findLanguage(job: JobWithFiles, code: string): string {
  const codes = job.translated_files.map(({ language_code }) => language_code);
  const canonical = parseLocale(code);
  const found =
    codes.find((other) => other === code) ??
    codes.find((other) => canonical !== undefined && parseLocale(other) === canonical);
  if (found !== undefined) return found;
  const there = codes.length === 0 ? 'none' : codes.map(oneLine).join(', ');
  throw new DragomanError('not_found', `job ${job.id} has no translated file for ${code}`, {
    hint: `The job is ${job.status}; it has files for: ${there}.`,
  });
}

/**
 * Prints where a job's files would be downloaded, according to the service's list.
 *
 * @throws DragomanError `not_found`, `usage`
 */
export function listDownloads(
  job: JobWithFiles,
  { directory, languages, replace }: Omit<DownloadPlan, 'accept'>,
  output: Output,
): readonly Downloaded[] {
  const planned: Downloaded[] = [];
  for (const language of languages ?? languagesOf(job)) {
    const path = join(directory, downloadName('', job.original_filename, language));
    requireNew([path], { force: replace });
    const size = job.translated_files.find(({ language_code }) => language_code === language)?.file_size ?? 0;
    planned.push({ language, path, size, failed: [] });
  }
  if (!output.json) for (const { path } of planned) output.path(path);
  return planned;
}

/**
 * Checks the downloads of a job that is about to be created.
 *
 * @throws DragomanError `usage` if a translation of the file exists
 */
export function requireNewDownloads(
  directory: string,
  file: string,
  targets: readonly string[],
  flags: { readonly force?: boolean },
): void {
  const paths = targets.map((target) => join(directory, downloadName('', basename(file), target)));
  requireNew(paths, flags);
}

function languagesOf({ id, status, translated_files: files }: JobWithFiles): readonly string[] {
  if (files.length > 0) return files.map(({ language_code }) => language_code);
  throw new DragomanError('not_found', `job ${id} has no translated files: it is ${status}`, {
    hint: status === 'failed' ? undefined : `Wait for it with dragoman jobs watch ${id}.`,
  });
}

/** @throws DragomanError `contract_violation` if a file's size differs from the size that the service stated */
export function requireSize(size: number, announced: number | undefined, name: string): void {
  if (announced === undefined || announced === size) return;
  throw new DragomanError(
    'contract_violation',
    `${name} has ${size} bytes, but the service announced ${announced}`,
    { hint: 'Nothing was written. Download it again.' },
  );
}

/** Windows opens devices under these names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i;

/** Characters that some systems refuse in names, that are invisible, or that reverse text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu;

/** File systems allow 255 bytes; the name of an unfinished file is longer than the final one. */
const MAX_NAME_BYTES = 200;

/**
 * A safe file name for any name from a server: no directories, control characters, devices or hidden files. Empty if
 * nothing is left.
 */
export function safeName(raw: string): string {
  const last = raw.split(/[/\\]/).at(-1) ?? '';
  const cleaned = last
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '')
    .trim();
  const extension = extname(cleaned);
  const stem = shorten(
    cleaned.slice(0, cleaned.length - extension.length),
    MAX_NAME_BYTES - Buffer.byteLength(extension),
  );
  return DEVICE.test(stem.split('.')[0] ?? '') ? `_${stem}${extension}` : stem + extension;
}

function shorten(text: string, bytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > bytes) short = short.slice(0, -1);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

/**
 * The name of a translated file: the service's if it has the specified form (download:
 * `{original_filename}_{language_code}.{extension}`), otherwise one made here. This prevents a server from writing a
 * file with a special meaning, such as a configuration.
 */
export function downloadName(given: string, original: string, code: string): string {
  const named = safeName(given);
  const extension = extname(named);
  const isOfForm =
    Object.hasOwn(FILE_TYPES, extension.toLowerCase()) &&
    named
      .slice(0, named.length - extension.length)
      .toLowerCase()
      .endsWith(`_${safeName(code).toLowerCase()}`);
  return isOfForm ? named : safeName(translatedName(safeName(original) || 'translation', safeName(code)));
}

const FAILED: ExitCode = 1;

/** 0 completed, 7 partial, 1 failed. Several jobs get the worst of their codes. */
export function exitCodeOfJobs(jobs: readonly Pick<Job, 'status'>[]): ExitCode {
  if (jobs.some(({ status }) => status === 'failed')) return FAILED;
  return jobs.some(({ status }) => status === 'partial') ? PARTIAL : OK;
}

/** `450 of 1000 keys`, as far as the service reports them. */
export function keysOf({ total_keys, translated_keys, failed_keys }: Job): string {
  const failed = failed_keys > 0 ? `, ${digits(failed_keys)} failed` : '';
  return `${digits(translated_keys)} of ${pluralize(total_keys, 'key')}${failed}`;
}

/** The progress of a job, from 0 to 1. */
export function shareOf({ total_keys, translated_keys, failed_keys, status }: Job): number {
  if (status === 'completed' || status === 'partial') return 1;
  return total_keys === 0 ? 0 : Math.min(1, (translated_keys + failed_keys) / total_keys);
}

/** One line about a job, for logs. */
export function jobLine(job: Job): string {
  const { id, original_filename, status, error_message } = job;
  const reason = error_message === null ? '' : `: ${oneLine(error_message)}`;
  const keys = job.total_keys > 0 ? `, ${keysOf(job)}` : '';
  return `${id} ${oneLine(original_filename)}: ${status}${keys}${reason}`;
}

export function downloadDocument(downloaded: readonly Downloaded[]): readonly object[] {
  return downloaded.map(({ language, path, size }) => ({ language_code: language, path, file_size: size }));
}

/** A job as rows of name and value. */
export function describeJob(job: JobWithFiles): readonly (readonly string[])[] {
  const rows = [
    ['job', job.id],
    ['status', job.status],
    ['file', `${oneLine(job.original_filename)} (${job.file_type})`],
    ['languages', `${oneLine(job.source_language)} → ${job.target_languages.map(oneLine).join(', ')}`],
    ['keys', keysOf(job)],
    ['created', oneLine(job.created_at)],
    ['updated', oneLine(job.updated_at)],
  ];
  if (typeof job.seconds_left === 'number')
    rows.push(['left', `about ${durationOf(job.seconds_left * 1000)}`]);
  if (job.completed_at !== null) rows.push(['completed', oneLine(job.completed_at)]);
  if (job.error_message !== null) rows.push(['error', oneLine(job.error_message)]);
  for (const { language_code, file_size } of job.translated_files) {
    rows.push(['translated', `${oneLine(language_code)}, ${sizeOf(file_size)}`]);
  }
  return rows;
}
