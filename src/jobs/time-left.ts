import type { JobRow, UnitRow } from '../store/store.ts';

/** A stretch of time in which one language was worked on, and the keys that it got on by. */
interface Stint {
  readonly from: number;
  readonly to: number;
  readonly keys: number;
}

/** A longer time without work is a stop of the servers, not the turn of other jobs: it says nothing about the rest. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * How many milliseconds a job takes from now on: at the pace that it has had, which its share of the workers is a part
 * of, and not less than the languages that are being translated take at their own pace. Undefined before it got on.
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
  // Where a language ended, or was given back; the clocks of two servers may differ by some milliseconds.
  const end = { running: now, done: file_created_at, pending: servedAt, failed: null }[status];
  if (end === null) return undefined;
  const reached = status === 'done' ? total : translated_keys;
  return { from, to: Math.max(from, end), keys: Math.max(0, reached - (before ?? 0)) };
}

/** From the first moment to the last, of longer pauses only a part. */
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
