import { setTimeout as delay } from 'node:timers/promises';
import { isInterrupted } from '../base/interruption.ts';
import { within } from '../base/within.ts';
import {
  BYTES_PER_KEY,
  type ClaimedUnit,
  type Instance,
  type JobEnd,
  type JobRow,
  type UnitBounds,
  type UnitEnd,
  type UnitRow,
} from '../store/store.ts';
import { KeptAnswers } from './kept-answers.ts';
import { countUnion } from './key-set.ts';
import { StoppedUnit, workOffUnit, type UnitTools } from './unit-work.ts';
import type { FileWorker } from './worker/file-worker.ts';

interface RunnerOptions extends UnitTools {
  readonly instance: Pick<Instance, 'jobs' | 'reap'>;
  readonly workers: readonly FileWorker[];
  /** Runs small units while all workers are busy with larger ones. */
  readonly spare: FileWorker;
  readonly lookMs: number;
  /**
   * How long a unit must have run, and a unit of a smaller job must have waited, before the running one makes
   * room.
   */
  readonly turnMs: number;
  /** How long finished jobs are kept, in milliseconds; undefined: forever. */
  readonly keepMs: number | undefined;
  readonly now: () => number;
  readonly onCharged: (credits: number) => void;
  readonly onJobEnded: () => void;
}

/** A job is overtaken by jobs that are this many times smaller. */
const TIMES_LARGER = 4;
/**
 * The time that a fast engine needs per key. A running unit that takes longer per key counts as larger, in proportion.
 */
const KEY_MS = 10;
/** Files up to this size are read and written in an instant, and take little memory. */
const SMALL_BYTES = 256 * 1024;
/** The spare process is kept ready while units run that are large compared with this size. */
const LARGE_SIZE = SMALL_BYTES / BYTES_PER_KEY;
/** The pauses between attempts after the store failed. */
const RETRY_MS = [100, 1_000, 5_000];
/** How much time workers get to report their progress when the server stops. */
const STOP_MS = 1_000;
/** How long a worker pauses after its result could not be written. */
const FULL_DISK_MS = 5_000;

interface RunningUnit {
  readonly unit: ClaimedUnit;
  readonly begunAt: number;
  readonly abort: AbortController;
  readonly answers: KeptAnswers;
  readonly done: Promise<void>;
}

/** Runs the units of all jobs, one per worker at a time, in a fair order. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #idle: FileWorker[];
  #isSpareBusy = false;
  readonly #running = new Set<RunningUnit>();
  readonly #look: NodeJS.Timeout;
  readonly #turns: NodeJS.Timeout;
  #filling: Promise<void> | undefined;
  #isAwake = false;
  #closing = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#idle = [...options.workers];
    this.#look = setInterval(() => void this.#lookAround(), options.lookMs).unref();
    this.#turns = setInterval(() => void this.#giveWay(), options.turnMs).unref();
    this.wake();
  }

  get running(): number {
    return this.#running.size;
  }

  /** Call this when there may be new work. */
  wake(): void {
    this.#isAwake = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
      // A call to `wake` may have come after the last check for work.
      if (this.#isAwake && !this.#closing) this.wake();
    });
  }

  /**
   * Stops the running units of a deleted job. Resolves when all have stopped: pending engine requests are waited for
   * and charged.
   */
  async drop(jobId: string): Promise<void> {
    const dropped = [...this.#running].filter(({ unit }) => unit.jobId === jobId);
    for (const { abort } of dropped) abort.abort();
    await Promise.all(dropped.map(({ done }) => done));
  }

  /** Starts nothing new and waits for running units, which are returned to the queue after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    clearInterval(this.#look);
    clearInterval(this.#turns);
    await this.#filling;
    const all = Promise.all([...this.#running].map(({ done }) => done));
    await within(all, graceMs, () => undefined);
    for (const { abort } of this.#running) abort.abort();
    await within(all, STOP_MS, () => undefined);
    const { workers, spare } = this.#options;
    await Promise.all([...workers, spare].map((worker) => worker.close()));
    await all;
  }

  async #fill(): Promise<void> {
    // Checks again if woken during a check.
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
      if (this.#idle.length === 0) await this.#passLarge();
    }
  }

  /**
   * Starts a small unit while the running units belong to much larger jobs. Those units could make room for it, but
   * only after reading their files, which they would then have to read again.
   */
  async #passLarge(): Promise<void> {
    const now = this.#options.now();
    const size = Math.min(
      ...Array.from(this.#running, ({ unit, begunAt }) => smallerThan(unit, now - begunAt)),
    );
    if (this.#closing || this.#isSpareBusy || this.#running.size === 0 || size === 0) return;
    const { spare } = this.#options;
    const unit = await this.#claim({ size, bytes: SMALL_BYTES });
    if (unit) {
      this.#isSpareBusy = true;
      this.#begin(unit, spare);
    } else if (size >= LARGE_SIZE) spare.warm();
  }

  async #claim(bounds?: UnitBounds): Promise<ClaimedUnit | undefined> {
    const { instance, now, log } = this.#options;
    try {
      return await instance.jobs.claimUnit(now(), bounds);
    } catch (error) {
      log.error({ err: error }, 'no unit of a job could be claimed');
      return undefined;
    }
  }

  #begin(unit: ClaimedUnit, worker: FileWorker): void {
    const { instance, log, now } = this.#options;
    const abort = new AbortController();
    const { jobs } = instance;
    // If answers are lost, the work is only repeated.
    const keep = (answers: string): Promise<void> =>
      jobs.keepAnswers(unit, answers).catch((error: unknown) => {
        log.error({ err: error, job: unit.jobId }, 'answers of an engine could not be kept');
      });
    const answers = new KeptAnswers({ keep, read: () => jobs.keptAnswers(unit) }, now);
    const done = this.#work(unit, worker, { abort, answers })
      .catch((error: unknown) => {
        this.#options.log.error({ err: error, job: unit.jobId }, 'a unit of a job could not be ended');
      })
      .finally(() => {
        this.#running.delete(running);
        if (worker === this.#options.spare) this.#isSpareBusy = false;
        else this.#idle.push(worker);
        this.wake();
      });
    const running: RunningUnit = { unit, begunAt: now(), abort, answers, done };
    this.#running.add(running);
  }

  async #work(
    unit: ClaimedUnit,
    worker: FileWorker,
    { abort, answers }: Pick<RunningUnit, 'abort' | 'answers'>,
  ): Promise<void> {
    const { instance, log, now } = this.#options;
    const { jobs } = instance;
    const progress = new UnitProgress(async (keys) => {
      const isOurs = await jobs.recordProgress(unit, keys, now()).catch(() => true);
      // Another process deleted the job, so its results are not needed.
      if (!isOurs) abort.abort();
    });
    // If the job is deleted right after this, these keys are charged.
    const isOurs = (): Promise<boolean> =>
      this.#persist(() => jobs.recordProgress(unit, progress.latest, now()));
    // If the job is deleted and this process killed, known answers are charged; failed texts are not.
    const onProgress = (done: number, total: number): void =>
      progress.set(
        total === 0 ? 0 : Math.floor((unit.totalKeys * Math.max(0, done - answers.failed)) / total),
      );
    try {
      await answers.restart();
      const task = { signal: abort.signal, onProgress, answers, isOurs };
      const end = await workOffUnit(unit, worker, task, this.#options);
      progress.close();
      answers.close();
      const ended = await this.#persist(() =>
        jobs.endUnit({ claim: unit, end, judge: judgeJob, now: now() }),
      );
      if (ended === 'lost' || ended === 'deleted') {
        await this.#leave(unit, end.file);
        const message =
          ended === 'lost' ? 'a finished unit was lost' : 'the job of a finished unit was deleted';
        log.info({ job: unit.jobId, language: unit.language }, message);
      }
      if (ended === 'lost') return;
      this.#options.onCharged(end.translatedKeys);
      if (ended === 'job ended') this.#options.onJobEnded();
    } catch (error) {
      progress.close();
      await answers.write();
      const keys = error instanceof StoppedUnit ? error.translatedKeys : progress.latest;
      const wasOurs = await this.#persist(() => jobs.giveBackUnit(unit, now(), keys));
      if (!wasOurs) await this.#leave(unit);
      if (!wasOurs || isInterrupted(error)) return;
      // The cause may be a full disk, which an immediate retry would find just as full.
      if (!this.#closing)
        await delay(FULL_DISK_MS, undefined, { signal: abort.signal }).catch(() => undefined);
      throw error;
    }
  }

  /** Removes the file of a unit that this process no longer holds, and all files of its job if that was deleted. */
  async #leave({ jobId }: ClaimedUnit, file?: UnitEnd['file']): Promise<void> {
    const { instance, files, log } = this.#options;
    try {
      if (file) await files.removeFile(jobId, file.id);
      if (!(await instance.jobs.find(jobId))) await files.remove(jobId);
    } catch (error) {
      log.error({ err: error, job: jobId }, 'cannot remove files that are not needed; a sweep will');
    }
  }

  /** Retries while the store is busy or its disk is full, so that finished work is not lost. */
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

  /**
   * If no worker is idle, large units that have run for a while make room for smaller jobs that have waited as long.
   * Jobs of other accounts may also pass if they are smaller than the time already spent on the unit. The large units
   * stop when their pending answers, which may have been paid for, have arrived, and resume later. If pending answers
   * are slow, one more unit makes room for each further turn that the smaller jobs wait.
   */
  async #giveWay(): Promise<void> {
    const { instance, turnMs, now, log } = this.#options;
    if (this.#idle.length > 0 || this.#closing) return;
    const units = [...this.#running];
    const working = units.filter(({ abort }) => !abort.signal.aborted);
    const waitMs = turnMs * (1 + units.length - working.length);
    try {
      for (const { unit, abort, answers } of working) {
        const { freshSince } = answers;
        const elapsed = freshSince === undefined ? 0 : now() - freshSince;
        if (freshSince === undefined || elapsed < turnMs) continue;
        const others = { size: smallerThan(unit, elapsed), notOf: unit.accountId };
        for (const bounds of [{ size: smallerThan(unit) }, others]) {
          if (!(await instance.jobs.hasWaitingUnit(bounds, now() - waitMs))) continue;
          abort.abort();
          return;
        }
      }
    } catch (error) {
      log.error({ err: error }, 'cannot look for smaller jobs');
    }
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

  /** Removes some expired jobs; the rest follow soon. */
  async #expire(): Promise<void> {
    const { instance, files, log, keepMs, now } = this.#options;
    if (keepMs === undefined) return;
    try {
      const expired = await instance.jobs.expire(now() - keepMs);
      for (const id of expired) await files.remove(id);
      if (expired.length > 0) log.info({ count: expired.length }, 'removed expired jobs');
    } catch (error) {
      log.error({ err: error }, 'cannot remove expired jobs');
    }
  }
}

/** The size below which a job may overtake a unit that has run for this long. */
function smallerThan({ size }: ClaimedUnit, elapsedMs = 0): number {
  return Math.floor(Math.max(size, elapsedMs / KEY_MS) / TIMES_LARGER);
}

/** The minimum time between two writes of a unit's progress. */
const EVERY_MS = 250;

/** Passes on the latest value, at once or, if the previous one was recent, a little later. */
class UnitProgress {
  readonly #write: (value: number) => Promise<void>;
  #latest = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (value: number) => Promise<void>) {
    this.#write = write;
  }

  get latest(): number {
    return this.#latest;
  }

  /** Ignores values that are not larger than earlier ones: progress never decreases. */
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
 * The status of a job whose units have all ended: `completed` if every key has every language, `failed` if no language
 * has a file, otherwise `partial`. A key counts as translated if every requested language has it, otherwise as failed.
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
