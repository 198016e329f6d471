import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'rolldown';
import { readDocuments } from './documents.ts';
import { minimize } from './minimize.ts';
import { type Attempted, makerOf } from './trial.ts';
import type { Found, FoundAgain, Orders } from './worker.ts';

/** A trial takes a millisecond: one that computes for this many milliseconds counts as hanging. */
const HANG = 2_000;
/**
 * A trial that waits this long also counts as hanging. On a busy machine, a computing thread may also have to wait.
 */
const WAIT = 60_000;
const LOOK = 100;
/** Each attempt waits for the watchdog. */
const HANG_ATTEMPTS = 20;

export interface Campaign extends Attempted {
  readonly trials: number;
  readonly seed: number;
  /** Receives the first finding of each kind, minimized, and only the kind of later findings. */
  readonly onFound: (found: Found | FoundAgain) => void;
  readonly onProgress?: (done: number) => void;
}

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** Tries this many mutated documents in a thread that is terminated when it hangs. */
export async function fuzz(ordered: Campaign): Promise<void> {
  const { fuzzed, merges, trials, seed, onFound, onProgress } = ordered;
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-fuzz-'));
  try {
    const script = await buildWorker(directory);
    const order = { fuzzed, merges, fixtures: FIXTURES, campaign: seed };
    const watch = new Watch(script, onFound, onProgress);
    for (let from = 0; from < trials;) {
      const hung = await watch.run({ ...order, from, to: trials });
      if (hung === undefined) break;
      from = hung + 1;
      const text = (await makerOf(ordered, readDocuments(fuzzed, FIXTURES)))(seed, hung);
      // A busy machine may have stopped the thread: only a repeated hang counts.
      const hangs = async (shorter: string): Promise<boolean> =>
        (await watch.run({ ...order, from: hung, to: hung + 1, text: shorter })) !== undefined;
      if (!(await hangs(text))) continue;
      const smallest = await minimize(text, hangs, HANG_ATTEMPTS);
      onFound({
        trial: hung,
        kind: 'hang',
        detail: `did not end within ${HANG} ms of computing or ${WAIT} ms of waiting`,
        text: smallest,
      });
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function buildWorker(directory: string): Promise<string> {
  const script = join(directory, 'worker.mjs');
  await build({
    input: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'warn',
    output: { file: script, codeSplitting: false },
  });
  return script;
}

/** CPU time used after `since`, in milliseconds. The main thread uses almost none. */
function computed(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

class Watch {
  readonly #script: string;
  readonly #onFound: Campaign['onFound'];
  readonly #onProgress: ((done: number) => void) | undefined;

  constructor(script: string, onFound: Campaign['onFound'], onProgress?: (done: number) => void) {
    this.#script = script;
    this.#onFound = onFound;
    this.#onProgress = onProgress;
  }

  /** @returns the trial that did not end; undefined if all ended */
  run(orders: Omit<Orders, 'clock'>): Promise<number | undefined> {
    const clock = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(this.#script, { workerData: { ...orders, clock } satisfies Orders });
    return new Promise((resolve, reject) => {
      let attempts = 0;
      let since = performance.now();
      let used = process.cpuUsage();
      const timer = setInterval(() => {
        const now = Atomics.load(clock, 1);
        if (now !== attempts || now === 0) {
          attempts = now;
          since = performance.now();
          used = process.cpuUsage();
          this.#onProgress?.(Atomics.load(clock, 0));
        } else if (computed(used) > HANG || performance.now() - since > WAIT) {
          end(() => resolve(Atomics.load(clock, 0)));
        }
      }, LOOK);
      const end = (settle: () => void): void => {
        clearInterval(timer);
        void worker.terminate().then(settle, reject);
      };
      worker.on('message', (message: Found | FoundAgain | 'done') => {
        if (message === 'done') end(() => resolve(undefined));
        else this.#onFound(message);
      });
      worker.on('error', (error) => end(() => reject(error)));
    });
  }
}
