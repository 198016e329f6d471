import { fdatasync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import { WorkerClient } from '../../workers/client.ts';
import { fromPlainError } from '../../workers/protocol.ts';
import { CallQueue, type WaitingCall } from '../shared/call-queue.ts';
import type { Charge, CountedRequest, HeldCredits, MeteringCalls, Settlement } from '../shared/metering.ts';
import type {
  CallOutcome,
  MeteringBatch,
  MeteringCall,
  MeteringProtocol,
  MeteringSettings,
} from './metering-protocol.ts';

/** Far longer than a working disk or another writing process needs. */
const STALL_MS = 60_000;
const HEAP_MEGABYTES = 128;
/** The minimum time between two batches under load. */
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
 * the next batch, so that requests share a commit. Only settlements wait until they are on disk; the thread continues
 * meanwhile, and its commits share the next sync.
 */
export class MeteringThread implements MeteringCalls {
  readonly #client: WorkerClient<MeteringProtocol>;
  readonly #clocks: Clocks;
  readonly #log: CommitLog;
  readonly #calls = new CallQueue<MeteringCall, unknown>();
  #running: Promise<void> | undefined;
  /** Commits that are not known to be on disk. */
  #committed: DoneCall[] = [];
  #syncing: Promise<void> | undefined;
  /** The error that ended the thread. */
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
    return this.#ask(['admit', hash]);
  }

  reserve(wanted: HeldCredits): ReturnType<MeteringCalls['reserve']> {
    return this.#ask(['reserve', wanted]);
  }

  settle(settlement: Settlement): Promise<void> {
    return this.#ask(['settle', settlement]);
  }

  charge(charge: Charge): Promise<boolean> {
    return this.#ask(['charge', charge]);
  }

  count(request: CountedRequest): Promise<void> {
    return this.#ask(['count', request]);
  }

  /** Resolves after a write to disk. */
  probe(): Promise<void> {
    return this.#ask(['probe']);
  }

  /** Executes waiting calls, and ends the thread. */
  async close(): Promise<void> {
    while (this.#running ?? this.#syncing) await (this.#running ?? this.#syncing);
    this.#ended ??= interrupted();
    await this.#client.close();
    await this.#log.close();
  }

  #ask<Answer>(call: MeteringCall): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended);
    const answer = this.#calls.add(call);
    this.#running ??= this.#work();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread answers each call in its type
    return answer as Promise<Answer>;
  }

  async #work(): Promise<void> {
    // Waits for all calls of the current tick, so that one batch sends them all.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#calls.size > 0) {
      const size = await this.#send();
      // Waking the thread costs more than a call, so larger batches are collected under load.
      if (size > 1) await delay(GATHER_MS);
    }
    this.#running = undefined;
  }

  /** @returns the number of calls in the batch */
  async #send(): Promise<number> {
    const { now, windowNow } = this.#clocks;
    const waiting = this.#calls.take();
    const calls = waiting.map(({ call }) => call);
    try {
      if (this.#ended) throw this.#ended;
      const batch: MeteringBatch = { now: now(), windowNow: windowNow(), calls };
      const answered = await this.#client.call(JSON.stringify(batch), { stallMs: STALL_MS });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see `MeteringProtocol`
      const outcomes = JSON.parse(answered) as readonly CallOutcome[];
      for (const [i, one] of waiting.entries()) {
        if (isDurable(one.call)) this.#committed.push({ waiting: one, outcome: outcomes[i] });
        else answer(one, outcomes[i]);
      }
      if (this.#committed.length > 0) this.#syncing ??= this.#sync();
    } catch (error) {
      this.#end('the metering thread was lost', error, waiting);
    }
    return waiting.length;
  }

  async #sync(): Promise<void> {
    while (this.#committed.length > 0) {
      const committed = this.#committed;
      this.#committed = [];
      try {
        // A disk that failed once may falsely report success the next time.
        if (this.#ended) throw this.#ended;
        await this.#log.sync();
        for (const { waiting, outcome } of committed) answer(waiting, outcome);
      } catch (error) {
        const calls = committed.map(({ waiting }) => waiting);
        this.#end('charges cannot be written to the disk', error, calls);
      }
    }
    this.#syncing = undefined;
  }

  /**
   * It is unknown which calls were committed or would survive a power cut. Repeating one could charge twice, so no more
   * calls are executed; holds are released when this process ends.
   */
  #end(message: string, cause: unknown, calls: readonly Waiting[]): void {
    this.#ended ??= new DragomanError('internal', message, { cause });
    for (const { reject } of calls) reject(this.#ended);
  }
}

type Waiting = WaitingCall<MeteringCall, unknown>;

interface DoneCall {
  readonly waiting: Waiting;
  readonly outcome: CallOutcome | undefined;
}

/** Whether the answer waits for the disk. */
function isDurable([kind]: MeteringCall): boolean {
  return kind === 'settle' || kind === 'charge' || kind === 'probe';
}

/**
 * SQLite's log of a database. SQLite itself only syncs it for a durable commit, and before moving pages to the
 * database. The file stays the same while a connection is open.
 */
function openCommitLog(database: string): CommitLog {
  let opened: Promise<FileHandle> | undefined;
  return {
    async sync() {
      // Windows can only sync files that are open for writing.
      opened ??= open(`${database}-wal`, 'r+');
      const { fd } = await opened;
      // Under load this is called for every few requests, and the handle's own method takes longer.
      await new Promise<void>((resolve, reject) => {
        fdatasync(fd, (error) => (error ? reject(error) : resolve()));
      });
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

function answer({ resolve, reject }: Waiting, outcome: CallOutcome | undefined): void {
  if (outcome && 'value' in outcome) resolve(outcome.value ?? undefined);
  else reject(outcome ? fromPlainError(outcome.error) : new Error('a call of a batch has no outcome'));
}
