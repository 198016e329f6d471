import { interrupted } from '../../base/interruption.ts';
import type { Mode } from './modes.ts';
import type { ProbeCache } from './probe-cache.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';

/** A pipeline holds 50 to 600 MB, so those of a project with many languages cannot all stay. */
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
   * Runs `work` with the pipelines of `modes`; none of them is closed meanwhile, unless the pool is.
   *
   * @throws DragomanError `interrupted` when the pool is closed.
   */
  async use<T>(modes: readonly Mode[], work: (pipelines: readonly Pipeline[]) => Promise<T>): Promise<T> {
    if (this.#closed) throw interrupted();
    const entries = modes.map((mode) => {
      const entry = this.#open.get(mode.path) ?? { pipeline: openPipeline(mode, this.#timeoutMs), users: 0 };
      // Last in the map is the most recently used.
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
/** Every probe is a pipeline of up to fifteen processes. */
const AT_ONCE = 4;

/** Whether a mode answers does not change while the program runs: its files are the system's. */
const probed = new Map<string, boolean>();

/** Whether the mode answers a record. A pipeline can lack a file inside a file, or a program a library. */
export async function probeMode(mode: Mode, pool: PipelinePool, signal: AbortSignal): Promise<boolean> {
  const known = probed.get(mode.path);
  if (known !== undefined) return known;
  const answers = await pool.use([mode], ([pipeline]) => answersProbe(pipeline, signal)).catch(() => false);
  // An interrupted probe has shown nothing.
  if (!signal.aborted) probed.set(mode.path, answers);
  return answers;
}

async function answersProbe(pipeline: Pipeline | undefined, signal: AbortSignal): Promise<boolean> {
  const reply = await pipeline?.ask('a[b0]', signal);
  return reply !== undefined && 'answer' in reply && reply.answer.includes('[b0]');
}

/**
 * The modes that answer, in their order. Every pipeline opened for it is closed again.
 *
 * @param cache what earlier runs found, which gets what is found now
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
