import {
  FINAL_STATUSES,
  WEBHOOK_EVENT,
  type Job,
  type JobWithFiles,
  type WebhookPayload,
} from '../contract/jobs.ts';
import type { JobRow, UnitRow } from '../store/store.ts';
import type { DeliveryState } from '../store/delivery-store.ts';

/** A job in its wire format. */
export function showJob(row: JobRow): Job {
  return {
    id: row.id,
    job_id: row.id,
    status: row.status,
    original_filename: row.filename,
    file_type: row.file_type,
    source_language: row.source_language,
    target_languages: readCodes(row.target_languages),
    total_keys: row.total_keys,
    translated_keys: row.translated_keys,
    failed_keys: row.failed_keys,
    error_message: row.error_message,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    completed_at: row.completed_at === null ? null : isoTime(row.completed_at),
  };
}

interface JobParts {
  readonly units: readonly UnitRow[];
  readonly delivery: DeliveryState | undefined;
  readonly now: number;
}

/** @param publicUrl the current address of this service */
export function showJobWithFiles(
  row: JobRow,
  { units, delivery, now }: JobParts,
  publicUrl: string,
): JobWithFiles {
  const shown = {
    ...showJob(row),
    translated_files: showFiles(row.id, units, publicUrl),
    ...(row.completed_at === null && { seconds_left: secondsOf(timeLeft(row, units, now)) }),
  };
  if (!delivery) return shown;
  const { status, attempts, lastError = null, nextAt } = delivery;
  const webhook = {
    status,
    attempts,
    last_error: lastError,
    next_attempt_at: nextAt === undefined ? null : isoTime(nextAt),
  };
  return { ...shown, webhook };
}

function secondsOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.ceil(ms / 1000);
}

/** The payload of the event that is sent when a job ends; undefined while it runs. */
export function showEvent(
  row: JobRow,
  units: readonly UnitRow[],
  publicUrl: string,
): WebhookPayload | undefined {
  const status = FINAL_STATUSES.find((final) => final === row.status);
  if (status === undefined || row.completed_at === null) return undefined;
  return {
    event: WEBHOOK_EVENT,
    job_id: row.id,
    status,
    job: showJob(row),
    translated_files: showFiles(row.id, units, publicUrl),
    completed_at: isoTime(row.completed_at),
  };
}

function showFiles(
  jobId: string,
  units: readonly UnitRow[],
  publicUrl: string,
): JobWithFiles['translated_files'] {
  const base = publicUrl.replace(/\/+$/, '');
  return units.flatMap(({ file_id, file_size, file_created_at, language_code }) =>
    file_id === null || file_size === null || file_created_at === null
      ? []
      : [
          {
            id: file_id,
            language_code,
            file_url: `${base}/v2/translate/i18n/jobs/${jobId}/download?language_code=${encodeURIComponent(language_code)}`,
            file_size,
            created_at: isoTime(file_created_at),
          },
        ],
  );
}

function readCodes(json: string): string[] {
  const codes: unknown = JSON.parse(json);
  return Array.isArray(codes) ? codes.map(String) : [];
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** A period in which one language was translated, and the number of keys done in it. */
interface Stint {
  readonly from: number;
  readonly to: number;
  readonly keys: number;
}

/** A longer pause means that the servers were stopped, so the rest of it is not counted. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * The estimated milliseconds until a job ends. It uses the pace of the job so far, which reflects the job's share of
 * the workers, or the pace of the languages being translated if that gives a longer time. Undefined before any
 * progress.
 */
export function timeLeft(
  { total_keys: total, served_at: servedAt }: Pick<JobRow, 'total_keys' | 'served_at'>,
  units: readonly UnitRow[],
  now: number,
): number | undefined {
  const stints: Stint[] = [];
  let left = 0;
  let longest = 0;
  for (const unit of units) {
    const stint = stintOf(unit, total, { servedAt, now });
    if (stint) stints.push(stint);
    if (unit.status !== 'running' && unit.status !== 'pending') continue;
    const missing = Math.max(0, total - unit.translated_keys);
    left += missing;
    if (stint && stint.keys > 0 && unit.status === 'running')
      longest = Math.max(longest, (missing * (stint.to - stint.from)) / stint.keys);
  }
  const done = stints.reduce((sum, { keys }) => sum + keys, 0);
  return done > 0 ? Math.max((left * busyTime(stints)) / done, longest) : undefined;
}

function stintOf(
  { status, started_at: from, started_keys: before, translated_keys, file_created_at }: UnitRow,
  total: number,
  { servedAt, now }: { readonly servedAt: number; readonly now: number },
): Stint | undefined {
  if (from === null) return undefined;
  // When a language was finished or returned to the queue. The clocks of two servers may differ by some milliseconds.
  const end = { running: now, done: file_created_at, pending: servedAt, failed: null }[status];
  if (end === null) return undefined;
  const reached = status === 'done' ? total : translated_keys;
  return { from, to: Math.max(from, end), keys: Math.max(0, reached - (before ?? 0)) };
}

/** The time from first to last, counting only a part of long pauses. */
function busyTime(stints: readonly Stint[]): number {
  let busy = 0;
  let until = -Infinity;
  for (const { from, to } of [...stints].sort((a, b) => a.from - b.from)) {
    if (until > -Infinity) busy += Math.min(LONGEST_PAUSE_MS, Math.max(0, from - until));
    busy += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return busy;
}
