import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeLeft } from '../../src/jobs/job-view.ts';
import type { UnitRow } from '../../src/store/store.ts';

const KEYS = 1_000;
const PER_KEY_MS = 10;
const UNIT_MS = KEYS * PER_KEY_MS;

const waiting: UnitRow = {
  job_id: 'job',
  language_code: 'fr',
  position: 0,
  account_id: 'account',
  job_seq: 1,
  status: 'pending',
  instance_id: null,
  attempts: 0,
  translated_keys: 0,
  failed_keys: null,
  started_at: null,
  started_keys: null,
  error_message: null,
  file_id: null,
  file_size: null,
  file_created_at: null,
};

/** A job at some moment, with this many workers, each of which takes the next waiting language. */
function unitsAt(time: number, languages: number, workers: number): UnitRow[] {
  return Array.from({ length: languages }, (_, i) => {
    const from = Math.floor(i / workers) * UNIT_MS;
    if (time <= from) return waiting;
    const begun = { ...waiting, started_at: from, started_keys: 0 };
    return time >= from + UNIT_MS
      ? { ...begun, status: 'done', translated_keys: KEYS, file_created_at: from + UNIT_MS }
      : { ...begun, status: 'running', translated_keys: Math.floor((time - from) / PER_KEY_MS) };
  });
}

const left = (units: readonly UnitRow[], now: number, servedAt = now): number | undefined =>
  timeLeft({ total_keys: KEYS, served_at: servedAt }, units, now);

describe('the remaining time of a job', () => {
  it('is unknown before it made progress, and zero at its end', () => {
    expect(left([waiting, waiting], 5_000)).toBeUndefined();
    expect(
      left([{ ...waiting, status: 'running', started_at: 5_000, started_keys: 0 }], 5_000),
    ).toBeUndefined();
    expect(left(unitsAt(UNIT_MS, 1, 1), UNIT_MS)).toBe(0);
  });

  it('is never off by more than one language, with any number of workers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 8 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (languages, workers, share) => {
          const total = Math.ceil(languages / workers) * UNIT_MS;
          const now = Math.floor(total * share);
          const found = left(unitsAt(now, languages, workers), now);
          if (now < PER_KEY_MS) return;
          expect(found).toBeDefined();
          expect(Math.abs((found ?? 0) - (total - now))).toBeLessThan(UNIT_MS + 100);
        },
      ),
    );
  });

  it('includes the turns of other jobs, and the languages that run alone at the end', () => {
    // Two languages, one of which waited while another job had the only worker.
    const first: UnitRow = {
      ...waiting,
      status: 'done',
      started_at: 0,
      started_keys: 0,
      file_created_at: 10_000,
    };
    const second: UnitRow = { ...waiting, status: 'running', started_at: 30_000, started_keys: 0 };
    const third = { ...waiting };
    expect(left([first, { ...second, translated_keys: 500 }, third], 35_000)).toBeCloseTo(35_000, -3);
    // The last of four languages on three workers: the estimate uses the pace of one worker, not of three.
    expect(left(unitsAt(1.5 * UNIT_MS, 4, 3), 1.5 * UNIT_MS)).toBeCloseTo(0.5 * UNIT_MS, -2);
  });

  it('excludes hours in which the servers were stopped', () => {
    const hours = 8 * 3_600_000;
    const first: UnitRow = {
      ...waiting,
      status: 'done',
      started_at: 0,
      started_keys: 0,
      file_created_at: 10_000,
    };
    const second: UnitRow = {
      ...waiting,
      status: 'running',
      started_at: 10_000 + hours,
      started_keys: 400,
      translated_keys: 700,
    };
    const found = left([first, second], 13_000 + hours);
    expect(found).toBeGreaterThan(2_500);
    expect(found).toBeLessThan(60_000);
  });

  it('continues from the last turn of a language that waits again', () => {
    const unit: UnitRow = { ...waiting, started_at: 0, started_keys: 0, translated_keys: 250 };
    expect(left([unit], 4_000, 2_500)).toBeCloseTo(7_500, -1);
  });
});
