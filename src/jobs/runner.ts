import { setTimeout as delay } from 'node:timers/promises';
import { isInterrupted } from '../base/interruption.ts';
import type { Database } from '../store/database.ts';
import { claimUnit, endUnit, giveBackUnit, recordProgress, type ClaimedUnit } from '../store/job-units.ts';
import { judgeJob } from './job-end.ts';
import { Progress } from './progress.ts';
import { workOffUnit, type UnitTools } from './unit-work.ts';
import type { FileWorker } from './worker/file-worker.ts';

export interface RunnerOptions extends UnitTools {
  readonly database: Database;
  readonly instance: { readonly id: string; reap(): Promise<readonly string[]> };
  readonly workers: readonly FileWorker[];
  readonly lookMs: number;
  readonly now: () => number;
  readonly onCharged: (credits: number) => void;
  readonly onJobEnded: () => void;
}

/** How long to wait before the store, which failed, is tried again. */
const RETRY_MS = [100, 1_000, 5_000];
/** How long a worker rests whose result could not be written. */
const FULL_DISK_MS = 5_000;

interface RunningUnit {
  readonly unit: ClaimedUnit;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Works the units of all jobs off, one per worker at a time, in the order that is fair. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #idle: FileWorker[];
  readonly #running = new Set<RunningUnit>();
  readonly #look: NodeJS.Timeout;
  #filling: Promise<void> | undefined;
  #isAwake = false;
  #closing = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#idle = [...options.workers];
    this.#look = setInterval(() => void this.#lookAround(), options.lookMs).unref();
    this.wake();
  }

  get running(): number {
    return this.#running.size;
  }

  /** There may be something to do. */
  wake(): void {
    this.#isAwake = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
      // Woken between its last look and now.
      if (this.#isAwake && !this.#closing) this.wake();
    });
  }

  /** Stops what runs here of a job that was deleted. Resolves when nothing does any more. */
  async drop(jobId: string): Promise<void> {
    const dropped = [...this.#running].filter(({ unit }) => unit.jobId === jobId);
    for (const { abort } of dropped) abort.abort();
    await Promise.all(dropped.map(({ done }) => done));
  }

  /** Begins nothing more; what runs is waited for, and given back after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    clearInterval(this.#look);
    await this.#filling;
    const all = Promise.all([...this.#running].map(({ done }) => done));
    const timer = new AbortController();
    await Promise.race([all, delay(graceMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
    for (const { abort } of this.#running) abort.abort();
    await all;
    await Promise.all(this.#options.workers.map((worker) => worker.close()));
  }

  async #fill(): Promise<void> {
    // Woken while it looks, it looks again.
    while (this.#isAwake && !this.#closing) {
      this.#isAwake = false;
      for (let worker = this.#idle.pop(); worker; worker = this.#idle.pop()) {
        const unit = this.#closing ? undefined : await this.#claim();
        if (!unit) {
          this.#idle.push(worker);
          break;
        }
        this.#begin(unit, worker);
      }
    }
  }

  async #claim(): Promise<ClaimedUnit | undefined> {
    const { database, instance, now, log } = this.#options;
    try {
      // Not durable: what a power cut undoes is claimed again.
      return await database.write((sql) => claimUnit(sql, instance.id, now()), { durable: false });
    } catch (error) {
      log.error({ err: error }, 'no unit of a job could be taken on');
      return undefined;
    }
  }

  #begin(unit: ClaimedUnit, worker: FileWorker): void {
    const abort = new AbortController();
    const done = this.#work(unit, worker, abort)
      .catch((error: unknown) => {
        this.#options.log.error({ err: error, job: unit.jobId }, 'a unit of a job could not be ended');
      })
      .finally(() => {
        this.#running.delete(running);
        this.#idle.push(worker);
        this.wake();
      });
    const running: RunningUnit = { unit, abort, done };
    this.#running.add(running);
  }

  async #work(unit: ClaimedUnit, worker: FileWorker, abort: AbortController): Promise<void> {
    const { database, files, log, now } = this.#options;
    const progress = new Progress(async (keys) => {
      const write = database.write((sql) => recordProgress(sql, unit, keys, now()), { durable: false });
      const isOurs = await write.catch(() => true);
      // Of a job that was deleted by another process nothing is wanted any more.
      if (!isOurs) abort.abort();
    });
    const onProgress = (done: number, total: number): void =>
      progress.set(total === 0 ? 0 : Math.floor((unit.totalKeys * done) / total));
    try {
      const end = await workOffUnit(unit, worker, { signal: abort.signal, onProgress }, this.#options);
      progress.close();
      const ended = await this.#persist(() =>
        database.write((sql) => endUnit(sql, { claim: unit, end, judge: judgeJob, now: now() })),
      );
      if (ended === 'lost') {
        if (end.file) await files.removeFile(unit.jobId, end.file.id);
        log.info({ job: unit.jobId, language: unit.language }, 'the job of a finished unit was deleted');
        return;
      }
      this.#options.onCharged(end.translatedKeys);
      if (ended === 'job ended') this.#options.onJobEnded();
    } catch (error) {
      progress.close();
      const isOurs = await this.#persist(() => database.write((sql) => giveBackUnit(sql, unit)));
      if (!isOurs || isInterrupted(error)) return;
      // The disk is full, or the like: it will not be better at once.
      if (!this.#closing)
        await delay(FULL_DISK_MS, undefined, { signal: abort.signal }).catch(() => undefined);
      throw error;
    }
  }

  /** What was done is not to be lost because the store is busy or its disk is full for a while. */
  async #persist<T>(write: () => Promise<T>): Promise<T> {
    for (const wait of RETRY_MS) {
      try {
        return await write();
      } catch (error) {
        this.#options.log.error({ err: error }, 'the end of a unit could not be stored; trying again');
        if (this.#closing) throw error;
        await delay(wait);
      }
    }
    return write();
  }

  async #lookAround(): Promise<void> {
    try {
      const dead = await this.#options.instance.reap();
      if (dead.length > 0) this.#options.log.warn({ instances: dead }, 'took over from processes that died');
    } catch (error) {
      this.#options.log.error({ err: error }, 'processes that died could not be looked for');
    }
    this.wake();
  }
}
