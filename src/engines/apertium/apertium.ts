import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted, interrupted } from '../../base/interruption.ts';
import { withOwnPath } from '../../base/program-path.ts';
import { whileListening } from '../../workers/abandon.ts';
import {
  type Engine,
  type EngineOutcome,
  type EngineRequest,
  type EngineStatus,
  type LanguagePair,
  unlessInterrupted,
} from '../engine.ts';
import { ProbeCache } from './probe-cache.ts';
import { isProgram, modesDirectory, readModes, type Mode } from './modes.ts';
import { installHint, installHintFor } from './packages.ts';
import { type Pipeline, openPipeline } from './pipeline.ts';
import { findRoute, pairsOf } from '../route.ts';
import { translateText } from './text.ts';

export interface ApertiumOptions {
  /** Maximum wait for a pending answer. Default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** How long pending work may continue after a call is interrupted. Default 0. */
  readonly graceMs?: number | undefined;
  /** The source of `APERTIUM_DATADIR` and `PATH`. Default: this process's environment. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * The system's Apertium: rule-based, offline, with at most one pivot language. One long-lived pipeline per direction,
 * started for its first text.
 */
export function createApertiumEngine(options: ApertiumOptions = {}): Engine {
  return new ApertiumEngine(options);
}

class ApertiumEngine implements Engine {
  readonly id = 'apertium';
  readonly #env: NodeJS.ProcessEnv;
  readonly #graceMs: number | undefined;
  readonly #pool: PipelinePool;
  readonly #closing = new AbortController();
  #modes: Promise<Mode[]> | undefined;
  readonly #routes = new Map<string, Promise<readonly Mode[] | undefined>>();

  constructor({ timeoutMs = DEFAULT_TIMEOUT_MS, graceMs, env = process.env }: ApertiumOptions) {
    this.#env = withOwnPath(env, process.cwd());
    this.#graceMs = graceMs;
    this.#pool = new PipelinePool(timeoutMs);
  }

  async status(signal: AbortSignal = this.#closing.signal): Promise<EngineStatus> {
    const { id } = this;
    const hint = installHint();
    if (!(await this.#isInstalled())) {
      return { id, ready: false, detail: 'Apertium is not installed', hint, pairs: [] };
    }
    const modes = await probeAll(await this.#readModes(), signal, await ProbeCache.open(this.#env));
    if (modes.length === 0) {
      return { id, ready: false, detail: 'Apertium has no working language pair', hint, pairs: [] };
    }
    const detail = `the system's Apertium, ${modes.length} direct translation directions`;
    return { id, ready: true, detail, hint: `More languages: ${hint}`, pairs: pairsOf(modes) };
  }

  async supports(source: string, target: string): Promise<boolean> {
    return (await this.#routeFor(source, target)) !== undefined;
  }

  async translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    const { source, target, texts } = request;
    const used = new Set<Pipeline>();
    const work = async (): Promise<readonly EngineOutcome[]> => {
      const route = await this.#routeFor(source, target);
      throwIfAborted(this.#closing.signal);
      if (!route) {
        throw new DragomanError(
          'engine_unavailable',
          `the installed Apertium does not translate ${source} to ${target}`,
          {
            hint: installHintFor(source, target),
          },
        );
      }
      return this.#pool.use(route, async (pipelines) => {
        for (const pipeline of pipelines) used.add(pipeline);
        const wasBroken = pipelines.some((pipeline) => pipeline.broken);
        const outcomes = await Promise.all(
          texts.map((text) => unlessInterrupted(translateText(pipelines, text, signal))),
        );
        const [first] = outcomes;
        if (wasBroken && first && 'failure' in first && pipelines.some((pipeline) => pipeline.broken)) {
          throw new DragomanError('engine_failed', first.failure);
        }
        return outcomes;
      });
    };
    return whileListening(signal, used, work, { graceMs: this.#graceMs });
  }

  /** The mode; two for a route with a pivot language. */
  async modelFor(_engine: string, { source, target }: LanguagePair): Promise<string | undefined> {
    return (await this.#routeFor(source, target))?.map(({ name }) => name).join(', ');
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.close();
  }

  async #isInstalled(): Promise<boolean> {
    const programs = ['apertium-wblank-mode', 'bash'];
    return (await Promise.all(programs.map((name) => isProgram(name, this.#env)))).every(Boolean);
  }

  #readModes(): Promise<Mode[]> {
    this.#modes ??= this.#isInstalled().then((is) =>
      is ? readModes(modesDirectory(this.#env), this.#env) : [],
    );
    return this.#modes;
  }

  #routeFor(source: string, target: string): Promise<readonly Mode[] | undefined> {
    const key = `${source} ${target}`;
    const known = this.#routes.get(key);
    if (known) return known;
    const found = this.#findRoute(source, target);
    this.#routes.set(key, found);
    return found;
  }

  /** Tries the shortest route first, and avoids modes that do not answer. */
  async #findRoute(source: string, target: string): Promise<readonly Mode[] | undefined> {
    let modes = await this.#readModes();
    for (;;) {
      const route = findRoute(modes, source, target);
      if (!route) return undefined;
      const good = await Promise.all(route.map((mode) => probeMode(mode, this.#pool, this.#closing.signal)));
      if (good.every(Boolean)) return route;
      modes = modes.filter((mode) => good[route.indexOf(mode)] !== false);
    }
  }
}

/** A pipeline takes 50 to 600 MB, so a project with many languages cannot keep all of them open. */
const MAX_IDLE = 4;

/** The open pipelines of one engine, one per mode; the least recently used idle ones are closed. */
class PipelinePool {
  readonly #timeoutMs: number;
  readonly #open = new Map<string, { readonly pipeline: Promise<Pipeline>; users: number }>();
  #closed = false;
  readonly #closing = new Set<Promise<void>>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs `work` with the pipelines of `modes`, which stay open unless the pool is closed.
   *
   * @throws DragomanError `interrupted` if the pool is closed
   */
  async use<T>(modes: readonly Mode[], work: (pipelines: readonly Pipeline[]) => Promise<T>): Promise<T> {
    if (this.#closed) throw interrupted();
    const entries = modes.map((mode) => {
      const entry = this.#open.get(mode.path) ?? { pipeline: openPipeline(mode, this.#timeoutMs), users: 0 };
      // Moves the pipeline to the end of the map, as the most recently used.
      this.#open.delete(mode.path);
      this.#open.set(mode.path, entry);
      entry.users++;
      return { mode, entry };
    });
    try {
      const opened = await Promise.allSettled(entries.map(({ entry }) => entry.pipeline));
      const pipelines = opened.map((result, i) => {
        if (result.status === 'fulfilled') return result.value;
        this.#open.delete(entries[i]?.mode.path ?? '');
        throw result.reason;
      });
      return await work(pipelines);
    } finally {
      for (const { entry } of entries) entry.users--;
      this.#closeIdle();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const path of this.#open.keys()) this.#close(path);
    await Promise.all(this.#closing);
  }

  #closeIdle(): void {
    const idle = [...this.#open].filter(([, entry]) => entry.users === 0);
    for (const [path] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) this.#close(path);
  }

  #close(path: string): void {
    const entry = this.#open.get(path);
    this.#open.delete(path);
    if (!entry) return;
    const closed = entry.pipeline
      .then(
        (pipeline) => pipeline.close(),
        () => undefined,
      )
      .finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}

const PROBE_TIMEOUT_MS = 20_000;
/** Each probe is a pipeline of up to fifteen processes. */
const AT_ONCE = 4;

/** Cached for the process, because the system's files do not change meanwhile. */
const probed = new Map<string, boolean>();

/** Whether the mode answers a record. An included file, or a library of one of its programs, may be missing. */
async function probeMode(mode: Mode, pool: PipelinePool, signal: AbortSignal): Promise<boolean> {
  const known = probed.get(mode.path);
  if (known !== undefined) return known;
  const answers = await pool.use([mode], ([pipeline]) => answersProbe(pipeline, signal)).catch(() => false);
  // An interrupted probe proves nothing.
  if (!signal.aborted) probed.set(mode.path, answers);
  return answers;
}

async function answersProbe(pipeline: Pipeline | undefined, signal: AbortSignal): Promise<boolean> {
  const reply = await pipeline?.ask('a[b0]', signal);
  return reply !== undefined && 'answer' in reply && reply.answer.includes('[b0]');
}

/**
 * The modes that answer, in order. Every pipeline that this check opens is closed again.
 *
 * @param cache results of earlier runs, which receives the new ones
 */
async function probeAll(modes: readonly Mode[], signal: AbortSignal, cache: ProbeCache): Promise<Mode[]> {
  const left = [...modes.entries()];
  const good = new Set<number>();
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [i, mode] = next;
      if (await cache.knows(mode)) {
        good.add(i);
        continue;
      }
      const pool = new PipelinePool(PROBE_TIMEOUT_MS);
      try {
        if (await probeMode(mode, pool, signal)) {
          good.add(i);
          await cache.add(mode);
        }
      } finally {
        await pool.close();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await cache.save();
  return modes.filter((_, i) => good.has(i));
}
