import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeJob } from '../../src/jobs/runner.ts';
import { countUnion, packKeys } from '../../src/jobs/key-set.ts';
import type { UnitRow } from '../../src/store/store.ts';

const TOTAL = fc.integer({ min: 1, max: 70 });

/** The failed keys per language; a language in which all failed has no file. */
const outcome = TOTAL.chain((total) =>
  fc.record({
    total: fc.constant(total),
    failed: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: total - 1 })), { minLength: 1, maxLength: 6 }),
  }),
);

function unitOf(failed: readonly number[], total: number): UnitRow {
  return {
    job_id: 'j',
    language_code: 'fr',
    position: 0,
    account_id: 'a',
    job_seq: 1,
    status: failed.length === total ? 'failed' : 'done',
    instance_id: null,
    attempts: 1,
    translated_keys: total - failed.length,
    failed_keys: packKeys(failed, total),
    error_message: failed.length > 0 ? 'beyond me' : null,
    file_id: null,
    file_size: null,
    file_created_at: null,
    started_at: null,
    started_keys: null,
  };
}

describe('a set of keys', () => {
  it('counts the union of any sets', () => {
    fc.assert(
      fc.property(outcome, ({ total, failed }) => {
        const sets = failed.map((places) => packKeys(places, total));
        expect(countUnion(sets, total)).toBe(new Set(failed.flat()).size);
      }),
    );
  });

  it('uses no memory when empty, and at most one bit per key', () => {
    expect(packKeys([], 1_000_000)).toBeNull();
    expect(packKeys(Array(1_000_000).keys(), 1_000_000)?.length).toBeLessThan(170_000);
  });
});

describe('the end of a job', () => {
  it('depends on the keys that every language has', () => {
    fc.assert(
      fc.property(outcome, ({ total, failed }) => {
        const units = failed.map((places) => unitOf(places, total));
        const end = judgeJob({ total_keys: total }, units);
        expect(end.translated_keys + end.failed_keys).toBe(total);
        expect(end.failed_keys).toBe(new Set(failed.flat()).size);
        const all = failed.every((places) => places.length === 0);
        const none = failed.every((places) => places.length === total);
        expect(end.status).toBe(all ? 'completed' : none ? 'failed' : 'partial');
        expect(end.error_message).toBe(none ? 'nothing could be translated: beyond me' : null);
      }),
    );
  });

  it('depends on the files of all languages if a job has no keys', () => {
    const done: UnitRow = { ...unitOf([], 1), translated_keys: 0, status: 'done' };
    const lost: UnitRow = { ...done, status: 'failed', error_message: 'the disk is gone' };
    expect(judgeJob({ total_keys: 0 }, [done, done]).status).toBe('completed');
    expect(judgeJob({ total_keys: 0 }, [done, lost]).status).toBe('partial');
    expect(judgeJob({ total_keys: 0 }, [lost]).error_message).toBe(
      'nothing could be translated: the disk is gone',
    );
  });
});
