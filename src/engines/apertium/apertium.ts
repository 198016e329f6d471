import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { whileListening } from '../../workers/abandon.ts';
import {
  type Engine,
  type EngineOutcome,
  type EngineRequest,
  type EngineStatus,
  unlessInterrupted,
} from '../engine.ts';
import { ProbeCache } from './probe-cache.ts';
import { isProgram, modesDirectory, readModes, type Mode } from './modes.ts';
import { installHint, installHintFor } from './packages.ts';
import type { Pipeline } from './pipeline.ts';
import { PipelinePool, probeAll, probeMode } from './pool.ts';
import { findRoute, pairsOf } from '../route.ts';
import { translateText } from './text.ts';

export interface ApertiumOptions {
  /** Maximum wait for a pending answer. Default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** How long pending work may continue after a call is interrupted. Default 0. */
  readonly graceMs?: number | undefined;
  /** Source of `APERTIUM_DATADIR` and `PATH`. Default: this process's environment. */
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
    this.#env = env;
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
