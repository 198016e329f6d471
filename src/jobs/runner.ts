import { setTimeout as delay } from 'node:timers/promises';
import { isInterrupted } from '../base/interruption.ts';
import type { ClaimedUnit, Instance, JobEnd, JobRow, UnitRow } from '../store/store.ts';
import { countUnion } from './key-set.ts';
import { workOffUnit, type UnitTools } from './unit-work.ts';
import type { FileWorker } from './worker/file-worker.ts';

interface RunnerOptions extends UnitTools {
  readonly instance: Pick<Instance, 'jobs' | 'reap'>;
  readonly workers: readonly FileWorker[];
  readonly lookMs: number;
  /** How long jobs that have ended are kept, in milliseconds; undefined for ever. */
  readonly keepMs: number | undefined;
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
    const { instance, now, log } = this.#options;
    try {
      return await instance.jobs.claimUnit(now());
    } catch (error) {
      log.error({ err: error }, 'no unit of a job could be claimed');
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
    const { instance, files, log, now } = this.#options;
    const { jobs } = instance;
    const progress = new UnitProgress(async (keys) => {
      const isOurs = await jobs.recordProgress(unit, keys, now()).catch(() => true);
      // Of a job that was deleted by another process nothing is wanted any more.
      if (!isOurs) abort.abort();
    });
    const onProgress = (done: number, total: number): void =>
      progress.set(total === 0 ? 0 : Math.floor((unit.totalKeys * done) / total));
    try {
      const end = await workOffUnit(unit, worker, { signal: abort.signal, onProgress }, this.#options);
      progress.close();
      const ended = await this.#persist(() =>
        jobs.endUnit({ claim: unit, end, judge: judgeJob, now: now() }),
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
      const isOurs = await this.#persist(() => jobs.giveBackUnit(unit));
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
      this.#options.log.error({ err: error }, 'cannot look for processes that died');
    }
    await this.#expire();
    this.wake();
  }

  /** Removes some of the jobs that have been kept for long enough: there is another look soon. */
  async #expire(): Promise<void> {
    const { instance, files, log, keepMs, now } = this.#options;
    if (keepMs === undefined) return;
    try {
      const expired = await instance.jobs.expire(now() - keepMs);
      for (const id of expired) await files.remove(id);
      if (expired.length > 0)
        log.info({ count: expired.length }, 'removed jobs that were kept for long enough');
    } catch (error) {
      log.error({ err: error }, 'cannot remove jobs that were kept for long enough');
    }
  }
}

/** How often the progress of a unit is written down at most. */
const EVERY_MS = 250;

/** Passes on the latest value at once or, when that was just done, a little later. */
class UnitProgress {
  readonly #write: (value: number) => Promise<void>;
  #latest = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (value: number) => Promise<void>) {
    this.#write = write;
  }

  /** A value that is not larger than those before is none: the work is never shown to go back. */
  set(value: number): void {
    this.#latest = Math.max(this.#latest, value);
    if (this.#timer === undefined) this.#flush();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = Infinity;
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#latest <= this.#written) return;
    this.#written = this.#latest;
    void this.#write(this.#latest);
    this.#timer = setTimeout(() => this.#flush(), EVERY_MS).unref();
  }
}

/**
 * What becomes of a job whose units have all ended: `completed` when every key has every language, `failed` when no
 * language has a file, `partial` otherwise. A key is translated when every requested language has it, and failed when
 * one has not.
 */
export function judgeJob(job: Pick<JobRow, 'total_keys'>, units: readonly UnitRow[]): JobEnd {
  const total = job.total_keys;
  const lost = units.filter(({ status }) => status === 'failed');
  const failed =
    lost.length > 0
      ? total
      : countUnion(
          units.map(({ failed_keys }) => failed_keys),
          total,
        );
  const counts = { translated_keys: total - failed, failed_keys: failed };
  if (lost.length === 0) {
    return { ...counts, status: failed === 0 ? 'completed' : 'partial', error_message: null };
  }
  if (lost.length < units.length) return { ...counts, status: 'partial', error_message: null };
  const reasons = new Set(lost.map(({ error_message }) => error_message ?? 'unknown'));
  const [reason] = reasons;
  return { ...counts, status: 'failed', error_message: `nothing could be translated: ${reason}` };
}
