import type { Job, JobWithFiles } from '../../contract/jobs.ts';
import { OK, PARTIAL, type ExitCode } from '../exit-code.ts';
import { oneLine } from '../terminal.ts';
import type { Downloaded } from './download.ts';
import { digits, count, durationOf, sizeOf } from '../table.ts';

const FAILED: ExitCode = 1;

/** 0 completed, 7 partial, 1 failed; of several jobs the worst. */
export function exitCodeOfJobs(jobs: readonly Pick<Job, 'status'>[]): ExitCode {
  if (jobs.some(({ status }) => status === 'failed')) return FAILED;
  return jobs.some(({ status }) => status === 'partial') ? PARTIAL : OK;
}

/** `450 of 1000 keys`, as far as the service knows them. */
export function keysOf({ total_keys, translated_keys, failed_keys }: Job): string {
  const failed = failed_keys > 0 ? `, ${digits(failed_keys)} failed` : '';
  return `${digits(translated_keys)} of ${count(total_keys, 'key')}${failed}`;
}

/** How much of a job is done, from 0 to 1. */
export function shareOf({ total_keys, translated_keys, failed_keys, status }: Job): number {
  if (status === 'completed' || status === 'partial') return 1;
  return total_keys === 0 ? 0 : Math.min(1, (translated_keys + failed_keys) / total_keys);
}

/** One line about a job: what a log needs. */
export function jobLine(job: Job): string {
  const { id, original_filename, status, error_message } = job;
  const reason = error_message === null ? '' : `: ${oneLine(error_message)}`;
  const keys = job.total_keys > 0 ? `, ${keysOf(job)}` : '';
  return `${id} ${oneLine(original_filename)}: ${status}${keys}${reason}`;
}

export function downloadDocument(downloaded: readonly Downloaded[]): readonly object[] {
  return downloaded.map(({ language, path, size }) => ({ language_code: language, path, file_size: size }));
}

/** A job in rows of a name and a value. */
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
