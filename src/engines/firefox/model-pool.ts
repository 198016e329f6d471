import { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import { WorkerClient } from '../../workers/client.ts';
import { WorkerLost } from '../../workers/peer.ts';
import { compileBergamot } from './worker/bergamot.ts';
import type { ModelFiles, ModelProtocol, ModelText, ModelWorkerData } from './worker/messages.ts';

export interface PoolOptions {
  /** Maximum number of loaded models. */
  readonly workers: number;
  /** Memory limit of each model. */
  readonly memoryMegabytes: number;
  /** Time limit for a batch of normal length, including loading. */
  readonly timeoutMs: number;
  /** The idle time after which a model is unloaded. */
  readonly idleMs: number;
}

interface PooledModel {
  /** The model's name in commands: `en-es`. */
  readonly name: string;
  readonly files: ModelFiles;
}

export type ModelAnswer =
  | { readonly answer: string }
  | {
      readonly failure: string;
      /** Set if all texts of this model will fail: it cannot be loaded, or every worker crashes. */
      readonly error?: DragomanError | undefined;
    };

interface WaitingText {
  readonly text: ModelText;
  readonly signal: AbortSignal;
  /** Whether a worker crashed with this text, which is then sent once more, alone. */
  readonly again: boolean;
  resolve(answer: ModelAnswer): void;
  reject(error: Error): void;
}

interface Seat {
  readonly lane: ModelLane;
  readonly thread: ModelThread;
  readonly openedAt: number;
  busy: boolean;
  idle?: NodeJS.Timeout | undefined;
}

/** The waiting texts of one direction. */
interface ModelLane {
  readonly model: PooledModel;
  arrived: WaitingText[];
  waiting: WaitingText[];
  /** Consecutive crashes without an answer in between. */
  losses: number;
}

/** Eight texts together take half the time of separate ones; more texts gain nothing. */
const BATCH_TEXTS = 8;
const BATCH_CHARACTERS = 4_000;
/** The number of waiting batches that justifies the memory of a second worker. */
const SPREAD_BATCHES = 4;
/** How long a model stays loaded while others wait: loading takes as long as several batches. */
const SLICE_MS = 2_000;
const MAX_LOSSES = 5;

/**
 * Workers with one model each, as many as the machine can hold. Texts of one direction are sent in batches of similar
 * length. Texts whose worker crashed are sent once more, alone, to a new worker; a second crash is a failure of that
 * text.
 */
export class ModelPool {
  readonly #options: PoolOptions;
  readonly #lanes = new Map<string, ModelLane>();
  readonly #seats = new Set<Seat>();
  readonly #closing = new Set<Promise<void>>();
  #scheduled = false;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** The number of loaded models. */
  get loaded(): number {
    return this.#seats.size;
  }

  /** @throws DragomanError `interrupted` if the text was abandoned or the pool is closed */
  ask(model: PooledModel, text: ModelText, signal: AbortSignal): Promise<ModelAnswer> {
    if (this.#closed || signal.aborted) return Promise.reject(interrupted());
    // A reinstalled model has different files, so it counts as another model.
    const key = model.files.model.sha256;
    const lane = this.#lanes.get(key) ?? { model, arrived: [], waiting: [], losses: 0 };
    this.#lanes.set(key, lane);
    return new Promise((resolve, reject) => {
      lane.arrived.push({ text, signal, again: false, resolve, reject });
      this.#schedule();
    });
  }

  /** Batches in progress finish, and their results are dropped. */
  abandon(signal: AbortSignal): void {
    this.withdraw(signal);
  }

  /** Drops waiting texts with this signal. */
  withdraw(signal: AbortSignal): void {
    for (const lane of this.#lanes.values()) {
      for (const item of [...lane.arrived, ...lane.waiting])
        if (item.signal === signal) item.reject(interrupted());
      lane.arrived = lane.arrived.filter((item) => item.signal !== signal);
      lane.waiting = lane.waiting.filter((item) => item.signal !== signal);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const lane of this.#lanes.values()) {
      for (const item of [...lane.arrived, ...lane.waiting]) item.reject(interrupted());
      lane.arrived = [];
      lane.waiting = [];
    }
    for (const seat of this.#seats) this.#free(seat);
    await Promise.all(this.#closing);
  }

  /** Requests of one turn of the event loop are scheduled together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const lane of this.#lanes.values()) {
        lane.arrived.sort((a, b) => b.text.text.length - a.text.text.length);
        lane.waiting.push(...lane.arrived);
        lane.arrived = [];
      }
      this.#dispatch();
    });
  }

  #dispatch(): void {
    if (this.#closed) return;
    const busy = [...this.#lanes.values()].filter((lane) => lane.waiting.length > 0);
    // Models without a worker come first; otherwise the others would never release theirs.
    const starving = busy.filter((lane) => this.#seatsOf(lane).length === 0);
    for (const lane of [...starving, ...busy.filter((lane) => !starving.includes(lane))]) {
      while (lane.waiting.length > 0) {
        const seat = this.#seatsOf(lane).find(({ busy }) => !busy) ?? this.#open(lane);
        if (!seat) break;
        void this.#translate(seat, takeBatch(lane));
      }
    }
    for (const [key, lane] of this.#lanes) {
      if (lane.waiting.length === 0 && lane.arrived.length === 0 && this.#seatsOf(lane).length === 0)
        this.#lanes.delete(key);
    }
  }

  #seatsOf(lane: ModelLane): Seat[] {
    return [...this.#seats].filter((seat) => seat.lane === lane);
  }

  #open(lane: ModelLane): Seat | undefined {
    const own = this.#seatsOf(lane).length;
    if (own > 0 && lane.waiting.length <= own * SPREAD_BATCHES * BATCH_TEXTS) return undefined;
    if (this.#seats.size + this.#closing.size >= this.#options.workers) {
      if (own === 0) this.#makeRoom();
      return undefined;
    }
    const { files } = lane.model;
    const thread = new ModelThread({ files, memoryMegabytes: this.#options.memoryMegabytes });
    const seat: Seat = { lane, thread, openedAt: performance.now(), busy: false };
    this.#seats.add(seat);
    return seat;
  }

  /** Unloads the first idle model that no text waits for, or that has been loaded for {@link SLICE_MS}. */
  #makeRoom(): void {
    if (this.#closing.size > 0) return;
    const now = performance.now();
    const spare = [...this.#seats].find(
      ({ busy, lane, openedAt }) => !busy && (lane.waiting.length === 0 || now - openedAt > SLICE_MS),
    );
    if (spare) this.#free(spare);
  }

  #free(seat: Seat): void {
    clearTimeout(seat.idle);
    this.#seats.delete(seat);
    const closed = seat.thread.close().finally(() => {
      this.#closing.delete(closed);
      this.#dispatch();
    });
    this.#closing.add(closed);
  }

  async #translate(seat: Seat, batch: readonly WaitingText[]): Promise<void> {
    clearTimeout(seat.idle);
    seat.busy = true;
    const characters = batch.reduce((sum, { text }) => sum + text.text.length, 0);
    const timeoutMs = this.#options.timeoutMs * Math.max(1, Math.ceil(characters / BATCH_CHARACTERS));
    try {
      const texts = batch.map(({ text }) => text);
      const answers = await seat.thread.translate(texts, timeoutMs);
      seat.lane.losses = 0;
      for (const [i, item] of batch.entries()) item.resolve({ answer: answers[i] ?? '' });
      seat.busy = false;
      seat.idle = setTimeout(() => this.#free(seat), this.#options.idleMs).unref();
    } catch (error) {
      this.#free(seat);
      this.#lose(seat.lane, batch, error instanceof ModelLost ? error : new ModelLost(String(error)));
    }
    this.#dispatch();
  }

  #lose(lane: ModelLane, batch: readonly WaitingText[], lost: ModelLost): void {
    const failure = `the translation model ${lane.model.name} ${lost.message}`;
    if (this.#closed) {
      for (const item of batch) item.reject(interrupted());
      return;
    }
    if (lost.damaged || ++lane.losses >= MAX_LOSSES) {
      const hint = `To reinstall it: dragoman engines install ${lane.model.name}`;
      const error = new DragomanError('engine_failed', failure, { hint: lost.damaged ? hint : undefined });
      for (const item of [...batch, ...lane.waiting]) item.resolve({ failure, error });
      lane.waiting = [];
      lane.losses = 0;
      return;
    }
    const retried: WaitingText[] = [];
    for (const item of batch) {
      if (item.again) item.resolve({ failure });
      else if (item.signal.aborted) item.reject(interrupted());
      else retried.push({ ...item, again: true });
    }
    lane.waiting.unshift(...retried);
  }
}

/** The next texts of similar length. A text that crashed a worker is sent alone. */
function takeBatch(lane: ModelLane): WaitingText[] {
  let count = 1;
  let characters = lane.waiting[0]?.text.text.length ?? 0;
  if (lane.waiting[0]?.again !== true) {
    for (; count < BATCH_TEXTS; count++) {
      const next = lane.waiting[count];
      if (!next || next.again || characters + next.text.text.length > BATCH_CHARACTERS) break;
      characters += next.text.text.length;
    }
  }
  return lane.waiting.splice(0, count);
}

/** The worker ended, or had to be ended, before it had answered. */
class ModelLost extends Error {
  /** Whether a fresh worker would end the same way, because its model's files are damaged. */
  readonly damaged: boolean;

  constructor(reason: string, damaged = false) {
    super(reason);
    this.damaged = damaged;
  }
}

/** A worker's JavaScript only passes texts on; the model is in WebAssembly memory. */
const HEAP_MEGABYTES = 256;

/**
 * A worker thread with one set of models, loaded for its first batch. Answers one batch after the other. The creator
 * closes it, unless it was lost.
 */
export class ModelThread {
  readonly #client: WorkerClient<ModelProtocol>;
  #lost: ModelLost | undefined;

  constructor(data: ModelWorkerData) {
    this.#client = new WorkerClient<ModelProtocol>({
      kind: 'thread',
      script: {
        name: 'dragoman model',
        source: 'engines/firefox/worker/worker.ts',
        bundled: 'firefox-worker.js',
      },
      settings: data,
      heapMegabytes: () => HEAP_MEGABYTES,
    });
  }

  /**
   * Returns the translation of each text, in order.
   *
   * @param timeoutMs for the answer, including loading; the worker is then killed
   * @throws ModelLost if there will be no answer, now or later from this thread
   */
  async translate(texts: readonly ModelText[], timeoutMs: number): Promise<readonly string[]> {
    if (this.#lost) throw this.#lost;
    try {
      const module = await compileBergamot();
      // The worker must not start if it was closed meanwhile.
      if (this.#lost) throw this.#lost;
      const translations = await this.#client.call({ module, texts }, { stallMs: timeoutMs });
      if (translations.length === texts.length) return translations;
      throw new ModelLost(`gave ${translations.length} answers for ${texts.length} texts`);
    } catch (error) {
      this.#lost ??= lossOf(error, timeoutMs);
      await this.#client.close();
      throw this.#lost;
    }
  }

  /** Kills the worker, even while it is working. Resolves when its memory is released. */
  async close(): Promise<void> {
    this.#lost ??= new ModelLost('was closed');
    await this.#client.close();
  }
}

function lossOf(error: unknown, timeoutMs: number): ModelLost {
  if (error instanceof ModelLost) return error;
  if (error instanceof DragomanError) return new ModelLost(error.message, error.code === 'unreadable_input');
  if (!(error instanceof WorkerLost)) return new ModelLost(`cannot be run: ${String(error)}`);
  return new ModelLost(
    error.reason === 'time' ? `gave no answer within ${timeoutMs / 1000} s` : error.message,
  );
}
