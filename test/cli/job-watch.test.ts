import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { downloadName, safeName } from '../../src/cli/documents/jobs/download.ts';
import type { Clock } from '../../src/base/clock.ts';
import { watchUntilDone, type PollOptions } from '../../src/cli/documents/jobs/operations.ts';
import type { JobWithFiles } from '../../src/contract/jobs.ts';
import type { JobService } from '../../src/service/service.ts';
import { codePoint } from '../code-point.ts';

class FakeClock implements Clock {
  time = 0;
  now(): number {
    return this.time;
  }
  wait(ms: number): Promise<void> {
    this.time += ms;
    return Promise.resolve();
  }
}

function jobOf(id: string, status: JobWithFiles['status']): JobWithFiles {
  const time = '2026-01-01T00:00:00Z';
  const names = { id, job_id: id, original_filename: 'a.json', file_type: 'json' as const };
  const keys = { total_keys: 1, translated_keys: 0, failed_keys: 0, error_message: null };
  const times = { created_at: time, updated_at: time, completed_at: null };
  const languages = { source_language: 'en', target_languages: ['fr'], translated_files: [] };
  return { ...names, status, ...keys, ...times, ...languages };
}

/** Jobs that end at given times; counts requests. */
class FakeJobs {
  readonly asked: number[] = [];
  readonly #clock: FakeClock;
  readonly #ends: ReadonlyMap<string, number>;
  trouble: (() => DragomanError | undefined) | undefined;
  /** Not in the list: services need not list all jobs. */
  unlisted: readonly string[] = [];

  constructor(clock: FakeClock, ends: Readonly<Record<string, number>>) {
    this.#clock = clock;
    this.#ends = new Map(Object.entries(ends));
  }

  jobStatus(id: string): Promise<JobWithFiles> {
    return this.#answer(() => this.#job(id));
  }

  listJobs(): Promise<readonly JobWithFiles[]> {
    return this.#answer(() =>
      [...this.#ends.keys()].filter((id) => !this.unlisted.includes(id)).map((id) => this.#job(id)),
    );
  }

  #job(id: string): JobWithFiles {
    const end = this.#ends.get(id);
    if (end === undefined) throw new DragomanError('not_found', `there is no job ${id}`);
    return jobOf(id, end <= this.#clock.time ? 'completed' : 'processing');
  }

  async #answer<T>(make: () => T): Promise<T> {
    this.asked.push(this.#clock.time);
    const error = this.trouble?.();
    if (error) throw error;
    return make();
  }
}

function watch(
  ends: Readonly<Record<string, number>>,
  options: Partial<PollOptions> & { trouble?: (asked: number) => DragomanError | undefined } = {},
) {
  const clock = new FakeClock();
  const jobs = new FakeJobs(clock, ends);
  jobs.trouble = () => options.trouble?.(jobs.asked.length);
  const told: string[] = [];
  const done = watchUntilDone(jobs as unknown as JobService, Object.keys(ends), {
    signal: new AbortController().signal,
    clock,
    onJob: ({ id, status }) => told.push(`${id} ${status}`),
    onTrouble: ({ code }) => told.push(code),
    ...options,
  });
  return { clock, jobs, told, done };
}

describe('watching', () => {
  it('polls less often over time, but still notices the end of a job in time', async () => {
    for (const end of [0, 1000, 10_000, 60_000, 600_000, 3_600_000]) {
      const { clock, jobs, done } = watch({ a: end });
      await expect(done).resolves.toMatchObject([{ status: 'completed' }]);
      expect(clock.time - end).toBeLessThanOrEqual(Math.max(500, Math.min(15_000, end / 4)));
      for (const from of jobs.asked) {
        const minute = jobs.asked.filter((time) => time >= from && time < from + 60_000);
        expect(minute.length).toBeLessThanOrEqual(25);
      }
    }
  });

  it('polls once per round for any number of jobs', async () => {
    const ends = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`job${i}`, i * 1000]));
    const many = watch(ends);
    await many.done;
    const one = watch({ a: 19_000 });
    await one.done;
    expect(many.jobs.asked.length).toBeLessThanOrEqual(one.jobs.asked.length + 1);
  });

  it('polls a job separately if the list does not contain it', async () => {
    const clock = new FakeClock();
    const jobs = new FakeJobs(clock, { a: 10, b: 1000 });
    jobs.unlisted = ['b'];
    const done = await watchUntilDone(jobs as unknown as JobService, ['a', 'b'], {
      signal: new AbortController().signal,
      clock,
      onJob: () => undefined,
      onTrouble: () => undefined,
    });
    expect(done.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'completed'],
      ['b', 'completed'],
    ]);
  });

  it('tolerates a service that fails for a while, but not one that never answered', async () => {
    const gone = new DragomanError('unreachable', 'gone');
    const short = watch({ a: 20_000 }, { trouble: (asked) => (asked > 2 && asked < 6 ? gone : undefined) });
    await expect(short.done).resolves.toHaveLength(1);
    expect(short.told.filter((line) => line === 'unreachable')).toHaveLength(3);
    await expect(watch({ a: 20_000 }, { trouble: () => gone }).done).rejects.toBe(gone);
    const long = watch({ a: 1e9 }, { trouble: (asked) => (asked > 2 ? gone : undefined) });
    await expect(long.done).rejects.toBe(gone);
    expect(long.jobs.asked.length).toBe(8);
  });

  it('stops immediately if an answer of the service is invalid', async () => {
    const refused = new DragomanError('unauthenticated', 'revoked', { status: 403 });
    const { done, jobs } = watch({ a: 1e9 }, { trouble: (asked) => (asked > 2 ? refused : undefined) });
    await expect(done).rejects.toBe(refused);
    expect(jobs.asked.length).toBe(3);
  });

  it('stops at its time limit, and when a job is deleted', async () => {
    const { done, clock } = watch({ a: 1e9 }, { timeoutMs: 60_000 });
    await expect(done).rejects.toMatchObject({ code: 'service_failed' });
    expect(clock.time).toBe(60_000);
    const clock2 = new FakeClock();
    const jobs = new FakeJobs(clock2, { a: 10 });
    const watching = watchUntilDone(jobs as unknown as JobService, ['a', 'b'], {
      signal: new AbortController().signal,
      clock: clock2,
      onJob: () => undefined,
      onTrouble: () => undefined,
    });
    await expect(watching).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/ b$/),
    });
  });
});

describe('names of downloads', () => {
  it('are always files in the directory, even with hostile names from a service', () => {
    const text = fc.oneof(
      fc.string({ unit: codePoint }),
      fc
        .array(
          fc.constantFrom('..', '/', '\\', '.', ' ', 'con', 'NUL', ':', '\u0000', '\u202e', 'é', '_fr.json'),
          {
            maxLength: 12,
          },
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, text, (given, original) => {
        const name = downloadName(given, original, 'fr');
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}\p{Cs}<>:"|?*]/u);
        expect(name).not.toMatch(/^\.|[. ]$|^(?:con|nul)(?:\.|$)/i);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(210);
        expect(name.length).toBeGreaterThan(0);
        expect(name).toContain('_fr');
      }),
    );
  });

  it('are unchanged if the specification defines them', () => {
    expect(downloadName('Übersicht 2_fr.json', 'x', 'fr')).toBe('Übersicht 2_fr.json');
    expect(downloadName('a_pt-BR.PO', 'x', 'pt-BR')).toBe('a_pt-BR.PO');
    expect(downloadName('a_de.json', 'b.pot', 'fr')).toBe('b_fr.po');
    expect(safeName('Ångström.json')).toBe('Ångström.json'.normalize('NFC'));
  });
});
