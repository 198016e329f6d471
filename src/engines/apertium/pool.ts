import { interrupted } from '../../base/interruption.ts';
import type { Mode } from './modes.ts';
import type { ProbeCache } from './probe-cache.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';

/** A pipeline takes 50 to 600 MB, so a project with many languages cannot keep all of them open. */
const MAX_IDLE = 4;

/** The open pipelines of one engine, one per mode; the least recently used idle ones are closed. */
export class PipelinePool {
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
      // Moves it to the end of the map, as the most recently used.
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

/** Whether the mode answers a record. A pipeline may lack an included file, or a program its library. */
export async function probeMode(mode: Mode, pool: PipelinePool, signal: AbortSignal): Promise<boolean> {
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
 * The modes that answer, in order. Every pipeline opened for this is closed again.
 *
 * @param cache results of earlier runs, which receives the new ones
 */
export async function probeAll(
  modes: readonly Mode[],
  signal: AbortSignal,
  cache: ProbeCache,
): Promise<Mode[]> {
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
