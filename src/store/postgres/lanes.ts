import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import { CallQueue, type WaitingCall } from '../shared/call-queue.ts';
import {
  type PostgresConnections,
  endConnection,
  isRepeatable,
  isUnavailable,
  query,
  unavailable,
} from './connections.ts';
import { pause, unregistered } from './database.ts';

/** How many calls may wait while the database does not answer, and how long they and an unsent batch may wait. */
const MAX_WAITING = 5_000;
const PATIENCE_MS = 10_000;
/** How long a sent batch waits for its answer while it is unknown whether it was executed. */
const DOUBT_MS = 60_000;
const MAX_BATCH = 500;
/** The minimum time between two batches of a connection under load. */
const GATHER_MS = 1;

/** One answer per call, in order: a value, or the call's error. */
export type LaneAnswers<Answer> = readonly (Answer | Error)[];

export interface LaneOptions<Call, Answer> {
  readonly connections: PostgresConnections;
  /** Names of connections that work in parallel. */
  readonly names: readonly string[];
  /** Whether a commit waits for the disk, unless the server's configuration says otherwise. */
  readonly isDurable: boolean;
  /**
   * Executes a batch in one statement. Batches with the same number are executed once, however often they are sent.
   * Undefined if the process is no longer registered.
   */
  readonly perform: (
    client: pg.Client,
    batch: { readonly lane: string; readonly number: number; readonly calls: readonly Call[] },
  ) => Promise<LaneAnswers<Answer> | undefined>;
  /** Called when the outcome of calls can no longer be determined, or the process is no longer registered. */
  readonly onLost: () => void;
}

/**
 * Collects calls into batches, each of which is one statement and one commit: calls that arrive during a batch form the
 * next one. After a connection breaks, a new one sends the pending batch again with its number.
 */
export class Lanes<Call, Answer> {
  readonly #queue = new CallQueue<Call, Answer>();
  readonly #lanes: readonly Lane<Call, Answer>[];
  #isAbandoned = false;
  /** Accepts no more calls. */
  isClosed = false;

  constructor(options: LaneOptions<Call, Answer>) {
    this.#lanes = options.names.map((name) => new Lane(name, this.#queue, options));
  }

  /** @throws DragomanError `store_unavailable` if nothing was executed, `interrupted` after closing */
  ask(call: Call): Promise<Answer> {
    if (this.isClosed) return Promise.reject(this.#isAbandoned ? unregistered() : interrupted());
    if (this.#queue.size >= MAX_WAITING)
      return Promise.reject(unavailable('too many requests are waiting for it'));
    const answer = this.#queue.add(call);
    this.#lanes.find((lane) => lane.isIdle)?.wake();
    return answer;
  }

  /** Executes waiting calls, and closes the connections. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /** Closes immediately. Pending calls count as not executed. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    for (const lane of this.#lanes) lane.isAbandoned = true;
    for (const { reject } of this.#queue.take()) reject(unregistered());
    await this.close();
  }
}

class Lane<Call, Answer> {
  readonly #name: string;
  readonly #queue: CallQueue<Call, Answer>;
  readonly #options: LaneOptions<Call, Answer>;
  #client: pg.Client | undefined;
  #number = 1;
  #running: Promise<void> | undefined;
  isAbandoned = false;

  constructor(name: string, queue: CallQueue<Call, Answer>, options: LaneOptions<Call, Answer>) {
    this.#name = name;
    this.#queue = queue;
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  wake(): void {
    this.#running ??= this.#work();
  }

  async close(): Promise<void> {
    if (this.#queue.size > 0) this.wake();
    while (this.#running) await this.#running;
    await this.#drop();
  }

  async #work(): Promise<void> {
    // Waits for all calls of the current tick, to send them in one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.size > 0) {
      const calls = this.#queue.take(MAX_BATCH);
      await this.#send(calls);
      // A batch costs far more than a call, so larger batches are collected under load.
      if (calls.length > 1) await delay(GATHER_MS);
    }
    this.#running = undefined;
  }

  async #send(calls: readonly WaitingCall<Call, Answer>[]): Promise<void> {
    try {
      const answers = await this.#perform(calls.map(({ call }) => call));
      for (const [i, { resolve, reject }] of calls.entries()) {
        const answer = answers[i];
        if (answer instanceof Error) reject(answer);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is an answer for each call
        else resolve(answer as Answer);
      }
    } catch (error) {
      if (isUnavailable(error) || calls.length === 1) for (const { reject } of calls) reject(error);
      // One of the calls causes the error, so each is executed separately.
      else for (const call of calls) await this.#send([call]);
    }
  }

  async #perform(calls: readonly Call[]): Promise<LaneAnswers<Answer>> {
    const begun = performance.now();
    let isSent = false;
    for (let times = 0; ; times++) {
      const wasSent: boolean = isSent;
      try {
        const client = (this.#client ??= await this.#connect());
        isSent = true;
        const answers = await this.#options.perform(client, {
          lane: this.#name,
          number: this.#number,
          calls,
        });
        if (!answers) throw this.#lost();
        this.#number++;
        return answers;
      } catch (error) {
        if (isRepeatable(error)) {
          await pause(times);
          continue;
        }
        if (!isUnavailable(error)) throw error;
        if (await this.#isUndone(error)) isSent = wasSent;
        await this.#drop();
        if (this.isAbandoned) throw error;
        const waited = performance.now() - begun;
        if (waited > DOUBT_MS) throw this.#lost();
        if (waited > PATIENCE_MS && !isSent) throw error;
        this.#refuseOthers(error, waited);
        await pause(times);
      }
    }
  }

  /**
   * Whether the server rejected the batch but still works, for example with a full disk. After a connection loss the
   * answer is unknown.
   */
  async #isUndone(error: DragomanError): Promise<boolean> {
    if (!this.#client || !(error.cause instanceof pg.DatabaseError)) return false;
    return query(this.#client, { text: 'select 1' }).then(
      () => true,
      () => false,
    );
  }

  /** Calls queued after a waiting batch have waited as long, or cannot be sent now. */
  #refuseOthers(error: unknown, waited: number): void {
    if (waited > PATIENCE_MS) for (const { reject } of this.#queue.take()) reject(error);
  }

  #lost(): Error {
    this.isAbandoned = true;
    this.#options.onLost();
    return unregistered();
  }

  async #connect(): Promise<pg.Client> {
    const client = await this.#options.connections.connect();
    if (this.#options.isDurable) return client;
    try {
      await query(client, { text: 'set synchronous_commit = off' });
      return client;
    } catch (error) {
      await endConnection(client);
      throw error;
    }
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client) await endConnection(client);
  }
}
