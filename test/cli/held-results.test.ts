import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { runJobs } from '../../src/cli/documents/run.ts';
import { Output } from '../../src/cli/output/output.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('a written result is released before the next language is translated', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-held-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const terminal = { ...streams, env: {}, cwd: directory, signal: new AbortController().signal };
  const output = new Output(terminal, { json: true, quiet: true, verbose: false });
  const file = { name: 'a.json', path: join(directory, 'a.json') };
  const jobs = ['de', 'es', 'fr'].map((target) => ({
    file,
    target,
    destination: join(directory, `a_${target}.json`),
  }));
  const results: WeakRef<Uint8Array>[] = [];
  const held: boolean[][] = [];
  const translate = async ({ target }: (typeof jobs)[number]) => {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    held.push(results.map((result) => result.deref() !== undefined));
    const bytes = new TextEncoder().encode(target);
    results.push(new WeakRef(bytes));
    return { bytes, isUntouched: false, failures: [] };
  };
  const { done } = await runJobs(jobs, { translate, extentOf: () => 1, unit: 'keys' }, { output });
  expect(held).toEqual([[], [false], [false, false]]);
  expect(done.map(({ target, size }) => [target, size])).toEqual(jobs.map(({ target }) => [target, 2]));
  expect(jobs.map(({ destination }) => readFileSync(destination, 'utf8'))).toEqual(['de', 'es', 'fr']);
});
