import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import { WorkerClient } from '../../workers/client.ts';
import { fromPlainError } from '../../workers/protocol.ts';
import { CallQueue, type WaitingCall } from '../shared/call-queue.ts';
import type { Charge, MeteringCalls, Settlement } from '../shared/metering.ts';
import type {
  CallOutcome,
  MeteringAnswers,
  MeteringBatch,
  MeteringProtocol,
  MeteringSettings,
} from './metering-protocol.ts';

/** Far more than a working disk or another writing process needs. */
const STALL_MS = 60_000;
const HEAP_MEGABYTES = 128;
/** The minimum time between two batches of a busy server. */
const GATHER_MS = 1;

interface Clocks {
  readonly now: () => number;
  readonly windowNow: () => number;
}

/** Syncs the thread's commits to disk. */
interface CommitLog {
  /** Resolves when all earlier commits survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Passes the calls of all requests to the thread: one queue, and one batch at a time. Calls that arrive meanwhile form
 * the next batch, so that requests share a commit. Settlements are answered once they are on disk. Only they wait for
 * it; the thread continues, and commits in the meantime share the next sync.
 */
export class MeteringThread implements MeteringCalls {
  readonly #client: WorkerClient<MeteringProtocol>;
  readonly #clocks: Clocks;
  readonly #log: CommitLog;
  readonly #admits = new CallQueue<string, Awaited<ReturnType<MeteringCalls['admit']>>>();
  readonly #reserves = new CallQueue<
    Parameters<MeteringCalls['reserve']>[0],
    Awaited<ReturnType<MeteringCalls['reserve']>>
  >();
  readonly #settles = new CallQueue<Parameters<MeteringCalls['settle']>[0], undefined>();
  readonly #charges = new CallQueue<Charge, boolean>();
  readonly #counts = new CallQueue<Parameters<MeteringCalls['count']>[0], undefined>();
  readonly #probes = new CallQueue<undefined, undefined>();
  #running: Promise<void> | undefined;
  /** Commits that are not known to be on disk. */
  #committed: CommittedCalls[] = [];
  #syncing: Promise<void> | undefined;
  /** Why no more calls are executed. */
  #ended: Error | undefined;

  constructor(settings: MeteringSettings, clocks: Clocks, log = openCommitLog(settings.file)) {
    this.#clocks = clocks;
    this.#log = log;
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

  get isEnded(): boolean {
    return this.#ended !== undefined;
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

  charge(charge: Charge): Promise<boolean> {
    return this.#ask(this.#charges, charge);
  }

  count(...[request]: Parameters<MeteringCalls['count']>): Promise<void> {
    return this.#ask(this.#counts, request);
  }

  /** Resolves after a write to disk. */
  probe(): Promise<void> {
    return this.#ask(this.#probes, undefined);
  }

  /** Executes waiting calls, and ends the thread. */
  async close(): Promise<void> {
    while (this.#running ?? this.#syncing) await (this.#running ?? this.#syncing);
    this.#ended ??= interrupted();
    await this.#client.close();
    await this.#log.close();
  }

  #ask<Call, Answer>(waiting: CallQueue<Call, Answer>, call: Call): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended);
    const answer = waiting.add(call);
    this.#running ??= this.#work();
    return answer;
  }

  async #work(): Promise<void> {
    // Waits for all calls of the current tick, to send them in one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#hasCalls()) {
      const size = await this.#send();
      // Waking the thread costs more than a call: under load, larger batches are collected.
      if (size > 1) await delay(GATHER_MS);
    }
    this.#running = undefined;
  }

  #hasCalls(): boolean {
    const all = [this.#admits, this.#reserves, this.#settles, this.#charges, this.#counts, this.#probes];
    return all.some(({ size }) => size > 0);
  }

  /** @returns the number of calls in the batch */
  async #send(): Promise<number> {
    const admits = this.#admits.take();
    const reserves = this.#reserves.take();
    const settles = this.#settles.take();
    const charges = this.#charges.take();
    const counts = this.#counts.take();
    const probes = this.#probes.take();
    const batch: MeteringBatch = {
      now: this.#clocks.now(),
      windowNow: this.#clocks.windowNow(),
      admits: admits.map(({ call }) => call),
      reserves: reserves.map(({ call }) => call),
      settles: settles.map(({ call }) => call),
      charges: charges.map(({ call }) => call),
      counts: counts.map(({ call }) => call),
      probe: probes.length > 0,
    };
    const calls = [...admits, ...reserves, ...settles, ...charges, ...counts, ...probes];
    try {
      if (this.#ended) throw this.#ended;
      const answers: MeteringAnswers = await this.#client.call(batch, { stallMs: STALL_MS });
      answer(admits, answers.admits);
      answer(reserves, answers.reserves);
      answer(counts, answers.counts);
      if (settles.length + charges.length + probes.length > 0) {
        this.#committed.push({ settles, charges, probes, answers });
        this.#syncing ??= this.#sync();
      }
    } catch (error) {
      this.#end('the thread of the metering was lost', error, calls);
    }
    return calls.length;
  }

  async #sync(): Promise<void> {
    while (this.#committed.length > 0) {
      const committed = this.#committed;
      this.#committed = [];
      try {
        // A disk that failed once may report success the next time.
        if (this.#ended) throw this.#ended;
        await this.#log.sync();
        for (const { settles, charges, probes, answers } of committed) {
          answer(settles, answers.settles);
          answer(charges, answers.charges);
          answer(
            probes,
            probes.map(() => answers.probe),
          );
        }
      } catch (error) {
        const calls = committed.flatMap(({ settles, charges, probes }) => [
          ...settles,
          ...charges,
          ...probes,
        ]);
        this.#end('charges cannot be written to the disk', error, calls);
      }
    }
    this.#syncing = undefined;
  }

  /**
   * It is unknown which calls were committed or would survive a power cut. Repeating one could charge twice, so no more
   * calls are executed; holds are released when this process ends.
   */
  #end(message: string, cause: unknown, calls: readonly Pick<WaitingCall<never, never>, 'reject'>[]): void {
    this.#ended ??= new DragomanError('internal', message, { cause });
    for (const { reject } of calls) reject(this.#ended);
  }
}

interface CommittedCalls {
  readonly settles: readonly WaitingCall<Settlement, undefined>[];
  readonly charges: readonly WaitingCall<Charge, boolean>[];
  readonly probes: readonly WaitingCall<undefined, undefined>[];
  readonly answers: MeteringAnswers;
}

/**
 * SQLite's log of a database. SQLite itself syncs it for a durable commit, and before moving pages to the database. The
 * file stays the same while a connection is open.
 */
function openCommitLog(database: string): CommitLog {
  let opened: Promise<FileHandle> | undefined;
  return {
    async sync() {
      // Windows can only sync files open for writing.
      opened ??= open(`${database}-wal`, 'r+');
      await (await opened).datasync();
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
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
