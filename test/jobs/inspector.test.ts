import { expect, it } from 'vitest';
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

it('ends the process that has read a large upload, and has it for the next small ones', async () => {
  const calls: string[] = [];
  const worker: Pick<FileWorker, 'run' | 'close'> = {
    run: (() => Promise.resolve((calls.push('run'), inspection))) as unknown as FileWorker['run'],
    close: () => Promise.resolve(void calls.push('close')),
  };
  const inspector = new Inspector(worker as FileWorker);
  const sizes = [100, 10_000_000, 100, 100];
  await Promise.all(sizes.map((bytes) => inspector.inspect('an account', task, bytes, signal)));
  await inspector.close();
  expect(calls).toEqual(['run', 'run', 'close', 'run', 'run', 'close']);
});
