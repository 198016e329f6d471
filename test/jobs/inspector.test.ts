import { expect, it } from 'vitest';
import { InspectionBudget } from '../../src/jobs/inspection-budget.ts';
import { Inspector } from '../../src/jobs/inspector.ts';
import type { FileWorker } from '../../src/jobs/worker/file-worker.ts';
import type { Inspection, InspectTask } from '../../src/jobs/worker/tasks.ts';

const task: InspectTask = {
  kind: 'inspect',
  source: { path: '/nonexistent', format: 'json', filename: 'a.json', language: 'en' },
  sample: false,
};
const inspection: Inspection = { totalKeys: 1, declared: undefined, sample: [], hasWords: true };
const { signal } = new AbortController();

/** A worker that records its requests and is controlled by the test. */
function workerThat(calls: string[], name: string, run: () => Promise<void> = () => Promise.resolve()) {
  const worker: Pick<FileWorker, 'run' | 'warm' | 'close'> = {
    run: (async () => {
      calls.push(`${name} run`);
      await run();
      return inspection;
    }) as unknown as FileWorker['run'],
    warm: () => void calls.push(`${name} warm`),
    close: () => Promise.resolve(void calls.push(`${name} close`)),
  };
  return worker as FileWorker;
}

const plenty = (): InspectionBudget =>
  new InspectionBudget({ ms: 30_000, windowMs: 60_000, now: () => Date.now() });

it('the inspector ends the process that has read a large upload, and keeps the one for small uploads', async () => {
  const calls: string[] = [];
  const [small, large] = [workerThat(calls, 'small'), workerThat(calls, 'large')];
  const inspector = new Inspector({ small, large, budget: plenty() });
  for (const bytes of [100, 10_000_000, 100, 500_000])
    await inspector.inspect('an account', task, bytes, signal);
  expect(calls).toEqual(['small run', 'small warm', 'large run', 'large close', 'small run', 'large run']);
  await inspector.close();
  expect(calls.slice(6)).toEqual(['small close', 'large close']);
});

it('the inspector reads small uploads while it reads a large one', async () => {
  const calls: string[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const large = workerThat(calls, 'large', () => gate);
  const inspector = new Inspector({ small: workerThat(calls, 'small'), large, budget: plenty() });
  const slow = inspector.inspect('greedy', task, 10_000_000, signal);
  await inspector.inspect('other', task, 262_144, signal);
  expect(calls).toEqual(['small warm', 'large run', 'small run']);
  release();
  await slow;
  await inspector.close();
});

it('the inspector stops reading for an account that used up its budget until the window is over', async () => {
  let clock = 1_000_000;
  const calls: string[] = [];
  const large = workerThat(calls, 'large', () => new Promise((resolve) => setTimeout(resolve, 60)));
  const budget = new InspectionBudget({ ms: 100, windowMs: 60_000, now: () => clock });
  const inspector = new Inspector({ small: workerThat(calls, 'small'), large, budget });
  const upload = (account: string): Promise<Inspection> => inspector.inspect(account, task, 500_000, signal);
  // Waiting uploads are refused when their turn comes after the budget is spent.
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => upload('greedy')));
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  const spent = { code: 'rate_limited', retryAfterMs: 60_000 };
  expect(answers[4]).toMatchObject({ reason: spent });
  await expect(upload('greedy')).rejects.toThrow(
    'reading the uploads of this account took more than 0.1 seconds within 60; try again in 60 seconds',
  );
  await upload('other');
  clock += 59_999;
  await expect(upload('greedy')).rejects.toThrow('try again in 1 seconds');
  clock += 1;
  await upload('greedy');
  expect(calls).toHaveLength(4);
  await inspector.close();
});
