import { parentPort, workerData } from 'node:worker_threads';
import { readDocuments } from './documents.ts';
import { minimize } from './minimize.ts';
import { seedOf } from '../../src/plugins/contract/random.ts';
import { type Attempted, makerOf, trialOf, type Problem } from './trial.ts';

/** The input of a worker. */
export interface Orders extends Attempted {
  readonly fixtures: string;
  readonly campaign: number;
  readonly from: number;
  readonly to: number;
  /** Tried in place of the document of the trial `from`. */
  readonly text?: string | undefined;
  /** The current trial, and the number of attempts: a watchdog reads both. */
  readonly clock: Int32Array;
}

/** A worker's report of a trial with a finding. */
export interface Found {
  readonly trial: number;
  readonly kind: Problem['kind'] | 'hang';
  readonly detail: string;
  readonly text: string;
}

/** Another finding of a kind that was already printed. */
export interface FoundAgain {
  readonly kind: Found['kind'];
}

const orders = workerData as Orders;
const { fuzzed, fixtures, campaign, from, to, text: only, clock } = orders;
function say(message: Found | FoundAgain | 'done'): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}

/** Problems that only differ in quoted texts and numbers count as one, of which the first is minimized. */
const known = new Set<string>();
const documents = readDocuments(fuzzed, fixtures);
const make = await makerOf(orders, documents);
const run = await trialOf(orders);
for (let trial = from; trial < to; trial++) {
  const seed = seedOf(campaign, trial);
  const attempt = (text: string): ReturnType<typeof run> => {
    Atomics.add(clock, 1, 1);
    return run(text, seed);
  };
  Atomics.store(clock, 0, trial);
  const text = only ?? make(campaign, trial);
  const problem = await attempt(text);
  if (!problem) continue;
  const gist = gistOf(problem.detail);
  if (known.has(gist)) {
    say({ kind: problem.kind } satisfies FoundAgain);
    continue;
  }
  known.add(gist);
  const smallest = await minimize(text, async (shorter) => {
    const other = await attempt(shorter);
    return other?.kind === problem.kind && gistOf(other.detail) === gist;
  });
  const { kind, detail } = (await attempt(smallest)) ?? problem;
  const found: Found = { trial, kind, detail, text: smallest };
  say(found);
}
say('done');

function gistOf(detail: string): string {
  return (detail.split('\n', 1)[0] ?? '').replace(/"(?:[^"\\]|\\.)*"|\[.*\]|\d+/g, '…').slice(0, 60);
}
