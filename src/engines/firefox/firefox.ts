import { availableParallelism, totalmem } from 'node:os';
import { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import { whileListening } from '../../workers/abandon.ts';
import {
  type Engine,
  type EngineOutcome,
  type EngineRequest,
  type EngineStatus,
  unlessInterrupted,
  type LanguagePair,
} from '../engine.ts';
import { findRoute, pairsOf } from '../route.ts';
import { installHintFor, type ModelStep, readInstalled, directionsOf } from './installed.ts';
import { translateText, type AskModel } from './text.ts';
import { ModelPool } from './model-pool.ts';

export interface FirefoxOptions {
  /** The directory of installed models. Default: no models. */
  readonly modelsDirectory?: string | undefined;
  /** Time limit for a batch, including loading its model. Default 60 s. */
  readonly timeoutMs?: number | undefined;
  /** How long pending batches may continue after a call is interrupted. Default 0. */
  readonly graceMs?: number | undefined;
  /** Maximum number of loaded models. Default: depends on processors and memory, at most 4. */
  readonly workers?: number | undefined;
  /** Idle time after which a model is unloaded. Default 60 s. */
  readonly idleMs?: number | undefined;
  /** Memory limit of a model, in megabytes. Default 1,024. */
  readonly memoryMegabytes?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_IDLE_MS = 60_000;
const DEFAULT_MEMORY_MEGABYTES = 1_024;
const MAX_WORKERS = 4;
/** The approximate memory of a working model. */
const USUAL_BYTES = 600 * 1024 * 1024;

/**
 * The models of Firefox Translations on this machine: neural, between English and about sixty languages, and through
 * English between the others. It makes no network requests: a command installs models. Each model has its own worker
 * thread and is loaded for its first text.
 */
export function createFirefoxEngine(options: FirefoxOptions = {}): Engine {
  return new FirefoxEngine(options);
}

class FirefoxEngine implements Engine {
  readonly id = 'firefox';
  readonly #directory: string | undefined;
  readonly #pool: ModelPool;
  readonly #graceMs: number | undefined;
  #closed = false;

  constructor(options: FirefoxOptions) {
    this.#directory = options.modelsDirectory;
    this.#graceMs = options.graceMs;
    this.#pool = new ModelPool({
      workers: options.workers ?? usualWorkers(),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      idleMs: options.idleMs ?? DEFAULT_IDLE_MS,
      memoryMegabytes: options.memoryMegabytes ?? DEFAULT_MEMORY_MEGABYTES,
    });
  }

  async status(): Promise<EngineStatus> {
    const { id } = this;
    const models = await this.#readInstalled();
    const install = 'dragoman engines install en-es';
    if (models.length === 0) {
      const detail = 'no model of Firefox Translations is installed';
      return { id, ready: false, detail, hint: `For example: ${install}`, pairs: [] };
    }
    const detail = `neural, on this machine: ${models.length} ${models.length === 1 ? 'model' : 'models'}`;
    return {
      id,
      ready: true,
      detail,
      hint: `More languages: ${install}`,
      pairs: pairsOf(directionsOf(models)),
    };
  }

  async supports(source: string, target: string): Promise<boolean> {
    return (await this.#routeFor(source, target)) !== undefined;
  }

  async translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    const { source, target, texts } = request;
    const work = async (): Promise<readonly EngineOutcome[]> => {
      const route = await this.#routeFor(source, target);
      if (this.#closed || signal.aborted) throw interrupted();
      if (!route) {
        const hint = installHintFor(source, target);
        throw new DragomanError('engine_unavailable', `no model for ${source} to ${target} is installed`, {
          hint,
        });
      }
      const asks = route.map(
        ({ model }): AskModel =>
          (text) =>
            this.#pool.ask(model, text, signal),
      );
      return Promise.all(texts.map((text) => unlessInterrupted(translateText(asks, text))));
    };
    return whileListening(signal, [this.#pool], work, { graceMs: this.#graceMs });
  }

  /** The model's name and version; two for a route through English. */
  async modelFor(_engine: string, { source, target }: LanguagePair): Promise<string | undefined> {
    const route = await this.#routeFor(source, target);
    return route?.map(({ model: { name, version } }) => `${name} ${version}`).join(', ');
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool.close();
  }

  /** Read every time, because models are installed and removed while a server runs. */
  async #routeFor(source: string, target: string): Promise<readonly ModelStep[] | undefined> {
    return findRoute(directionsOf(await this.#readInstalled()), source, target);
  }

  async #readInstalled(): ReturnType<typeof readInstalled> {
    return this.#directory === undefined ? [] : readInstalled(this.#directory);
  }
}

/** One worker for each processor, within half of the memory. */
function usualWorkers(): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const room = Math.floor(memory / 2 / USUAL_BYTES);
  return Math.max(1, Math.min(MAX_WORKERS, availableParallelism(), room));
}
