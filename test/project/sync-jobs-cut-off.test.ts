import { describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import { Budget } from '../../src/client/budget.ts';
import { CountingJobs } from '../client/counting-jobs.ts';
import { FakeClock } from '../client/fake-clock.ts';
import { ProjectDirectory } from './project-directory.ts';
import { journal, price, simple, sync, TARGETS } from './sync-by-jobs.ts';

describe('a sync by jobs that is cut off', () => {
  it.each([
    ['before the job has an id', 'afterCreate'],
    ['while it waits', 'wait'],
    ['before the download', 'beforeDownload'],
  ])('%s pays for nothing twice', async (_, point) => {
    const project = simple();
    const jobs = new CountingJobs();
    const killed = (): never => {
      throw new Error('killed');
    };
    const clock = new FakeClock();
    if (point === 'afterCreate') jobs.afterCreate = killed;
    else if (point === 'wait') clock.now = killed;
    else jobs.beforeDownload = killed;
    await expect(sync(project, jobs, { ...TARGETS, clock })).rejects.toThrow('killed');
    expect(jobs.charged).toBe(8);
    expect(journal(project)).toBe(true);
    jobs.afterCreate = () => undefined;
    jobs.beforeDownload = () => undefined;
    if (point !== 'afterCreate') expect(await price(project)).toBe(0);
    await sync(project, jobs);
    expect(jobs.charged).toBe(8);
    expect(project.readJson('fr/b.json')).toEqual({ quit: 'fr:Quit' });
    expect(jobs.stored.size).toBe(0);
    expect(journal(project)).toBe(false);
  });

  it('determines which languages of a job the budget covered', async () => {
    const project = new ProjectDirectory();
    project.json('en/a.json', { save: 'Save', open: 'Open', close: 'Close' });
    const jobs = new CountingJobs();
    jobs.afterCreate = () => {
      throw new Error('killed');
    };
    await expect(sync(project, jobs, { ...TARGETS, budget: new Budget(5) })).rejects.toThrow('killed');
    expect(jobs.created).toEqual(['a es']);
    jobs.afterCreate = () => undefined;
    const report = await sync(project, jobs, TARGETS);
    expect(report.languages.map(({ changes }) => [changes.translated, changes.failed])).toEqual([
      [3, 0],
      [3, 0],
    ]);
    expect(jobs.created).toEqual(['a es', 'a fr']);
    expect(jobs.charged).toBe(6);
  });

  it('finds the job whose creation was not acknowledged, in the same run', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    jobs.afterCreate = () => {
      throw new DragomanError('answer_lost', 'gone');
    };
    const report = await sync(project, jobs, { targets: ['fr'] });
    expect(report.languages[0]?.changes).toMatchObject({ translated: 4, failed: 0 });
    expect(jobs.charged).toBe(4);
  });

  it('leaves a job running when interrupted, and uses its result later', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    jobs.polls = 3;
    const controller = new AbortController();
    const report = await sync(project, jobs, {
      ...TARGETS,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect(report.interrupted).toBe(true);
    expect(jobs.deleted).toEqual([]);
    await sync(project, jobs);
    expect(jobs.charged).toBe(8);
    expect(project.readJson('fr/b.json')).toEqual({ quit: 'fr:Quit' });
  });

  it('creates another job for a file that has changed since', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    jobs.beforeDownload = () => {
      throw new Error('killed');
    };
    await expect(sync(project, jobs, { targets: ['fr'] })).rejects.toThrow('killed');
    project.json('en/b.json', { quit: 'Quit now' });
    jobs.beforeDownload = () => undefined;
    expect(await price(project)).toBe(1);
    await sync(project, jobs);
    expect(jobs.created).toHaveLength(3);
    expect(project.readJson('fr/b.json')).toEqual({ quit: 'fr:Quit now' });
  });

  it('creates another job if the earlier one failed or is gone', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    jobs.beforeDownload = () => {
      throw new DragomanError('service_failed', 'internal server error');
    };
    const report = await sync(project, jobs, { targets: ['fr'] });
    expect(report.languages[0]?.changes.failed).toBe(4);
    expect(journal(project)).toBe(true);
    const [gone, failed] = [...jobs.stored.values()];
    jobs.stored.delete(gone!.job.id);
    failed!.job = { ...failed!.job, status: 'failed' };
    jobs.jobStatus = (id) => {
      if (id === failed!.job.id) return Promise.resolve({ ...failed!.job, translated_files: [] });
      return CountingJobs.prototype.jobStatus.call(jobs, id);
    };
    jobs.beforeDownload = () => undefined;
    await sync(project, jobs);
    expect(jobs.created).toHaveLength(4);
    expect(project.readJson('fr/b.json')).toEqual({ quit: 'fr:Quit' });
    expect(journal(project)).toBe(false);
  });
});

describe('a sync by jobs that cannot continue', () => {
  it('stays within its budget', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    const report = await sync(project, jobs, { ...TARGETS, budget: new Budget(5) });
    expect(report.stopped?.code).toBe('insufficient_credits');
    expect(jobs.charged).toBeLessThanOrEqual(5);
    expect(jobs.charged).toBeGreaterThanOrEqual(3);
    expect(project.readJson('es/a.json')).toMatchObject({ save: 'es:Save' });
    expect(await price(project)).toBe(8 - jobs.charged);
    await sync(project, jobs);
    expect(jobs.charged).toBe(8);
  });

  it.each<ErrorCode>(['insufficient_credits', 'unauthenticated', 'unreachable', 'rate_limited'])(
    'stops with %s',
    async (code) => {
      const project = simple();
      const jobs = new CountingJobs();
      jobs.beforeCreate = () => {
        throw new DragomanError(code, 'no more');
      };
      const report = await sync(project, jobs, TARGETS);
      expect(report.stopped).toMatchObject({ code });
      expect(project.list()).not.toContain('es/a.json');
    },
  );

  it('fails the keys of a failed job, and the next run creates another', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    jobs.outcome = 'failed';
    const report = await sync(project, jobs, { targets: ['fr'] });
    expect(report.stopped).toBeUndefined();
    expect(report.languages[0]?.files[0]?.failures[0]?.reason).toBe('the job failed: out of order');
    jobs.outcome = 'usual';
    await sync(project, jobs);
    expect(project.readJson('fr/b.json')).toEqual({ quit: 'fr:Quit' });
  });

  it('does not wait forever for a job without progress', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    jobs.polls = Infinity;
    const report = await sync(project, jobs, { targets: ['fr'], stalledMs: 60_000 });
    expect(report.languages[0]?.files[0]?.failures[0]).toMatchObject({
      reason: expect.stringMatching(/no progress in 1 min/),
      code: 'service_failed',
    });
    jobs.polls = 0;
    for (const stored of jobs.stored.values()) stored.polls = 0;
    await sync(project, jobs);
    expect(jobs.charged).toBe(4);
  });
});
