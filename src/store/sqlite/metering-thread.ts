import { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import { WorkerClient } from '../../workers/client.ts';
import { fromPlainError } from '../../workers/protocol.ts';
import { CallQueue, type WaitingCall } from '../shared/call-queue.ts';
import type { MeteringCalls } from '../shared/metering.ts';
import type {
  CallOutcome,
  MeteringAnswers,
  MeteringBatch,
  MeteringProtocol,
  MeteringSettings,
} from './metering-protocol.ts';

/** Far more than a disk needs that works, and a process that writes may take. */
const STALL_MS = 60_000;
const HEAP_MEGABYTES = 128;

interface Clocks {
  readonly now: () => number;
  readonly windowNow: () => number;
}

/**
 * Hands the calls of all requests to the thread: one queue, and one batch at a time. What arrives while the thread is at
 * work makes the next batch, so that requests share a commit, and waiting for the disk.
 */
export class MeteringThread implements MeteringCalls {
  readonly #client: WorkerClient<MeteringProtocol>;
  readonly #clocks: Clocks;
  readonly #admits = new CallQueue<string, Awaited<ReturnType<MeteringCalls['admit']>>>();
  readonly #reserves = new CallQueue<
    Parameters<MeteringCalls['reserve']>[0],
    Awaited<ReturnType<MeteringCalls['reserve']>>
  >();
  readonly #settles = new CallQueue<Parameters<MeteringCalls['settle']>[0], undefined>();
  readonly #counts = new CallQueue<Parameters<MeteringCalls['count']>[0], undefined>();
  readonly #probes = new CallQueue<undefined, undefined>();
  #running: Promise<void> | undefined;
  /** Why nothing is done any more. */
  #ended: Error | undefined;

  constructor(settings: MeteringSettings, clocks: Clocks) {
    this.#clocks = clocks;
    this.#client = new WorkerClient<MeteringProtocol>({
      kind: 'thread',
      script: {
        name: 'dragoman metering',
        source: 'store/sqlite/metering-worker.ts',
        bundled: 'metering-worker.js',
      },
      settings,
      heapMegabytes: () => HEAP_MEGABYTES,
    });
  }

  admit(hash: string): ReturnType<MeteringCalls['admit']> {
    return this.#ask(this.#admits, hash);
  }

  reserve(...[wanted]: Parameters<MeteringCalls['reserve']>): ReturnType<MeteringCalls['reserve']> {
    return this.#ask(this.#reserves, wanted);
  }

  settle(...[settlement]: Parameters<MeteringCalls['settle']>): Promise<void> {
    return this.#ask(this.#settles, settlement);
  }

  count(...[request]: Parameters<MeteringCalls['count']>): Promise<void> {
    return this.#ask(this.#counts, request);
  }

  /** Resolves when something was written to the disk. */
  probe(): Promise<void> {
    return this.#ask(this.#probes, undefined);
  }

  /** Does what is waiting, and ends the thread. */
  async close(): Promise<void> {
    while (this.#running) await this.#running;
    this.#ended ??= interrupted();
    await this.#client.close();
  }

  #ask<Call, Answer>(waiting: CallQueue<Call, Answer>, call: Call): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended);
    const answer = waiting.add(call);
    this.#running ??= this.#work();
    return answer;
  }

  async #work(): Promise<void> {
    // All that the current tick brings is to be in one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#hasCalls()) await this.#send();
    this.#running = undefined;
  }

  #hasCalls(): boolean {
    const all = [this.#admits, this.#reserves, this.#settles, this.#counts, this.#probes];
    return all.some(({ size }) => size > 0);
  }

  async #send(): Promise<void> {
    const admits = this.#admits.take();
    const reserves = this.#reserves.take();
    const settles = this.#settles.take();
    const counts = this.#counts.take();
    const probes = this.#probes.take();
    const batch: MeteringBatch = {
      now: this.#clocks.now(),
      windowNow: this.#clocks.windowNow(),
      admits: admits.map(({ call }) => call),
      reserves: reserves.map(({ call }) => call),
      settles: settles.map(({ call }) => call),
      counts: counts.map(({ call }) => call),
      probe: probes.length > 0,
    };
    try {
      const answers: MeteringAnswers = await this.#client.call(batch, { stallMs: STALL_MS });
      answer(admits, answers.admits);
      answer(reserves, answers.reserves);
      answer(settles, answers.settles);
      answer(counts, answers.counts);
      answer(
        probes,
        probes.map(() => answers.probe),
      );
    } catch (error) {
      // Nobody knows what of it was committed. To do any of it again could charge it twice: nothing more is done, and
      // what is still held is given back when this process ends.
      this.#ended = new DragomanError('internal', 'the thread of the metering was lost', { cause: error });
      for (const { reject } of [...admits, ...reserves, ...settles, ...counts, ...probes])
        reject(this.#ended);
    }
  }
}

function answer<Call, Answer>(
  calls: readonly WaitingCall<Call, Answer>[],
  outcomes: readonly CallOutcome<Answer>[],
): void {
  for (const [i, { resolve, reject }] of calls.entries()) {
    const outcome = outcomes[i];
    if (outcome && 'value' in outcome) resolve(outcome.value);
    else reject(outcome ? fromPlainError(outcome.error) : new Error('a batch has an outcome for each call'));
  }
}
