import type { Mode } from './modes.ts';
import type { Pipeline } from './pipeline.ts';
import { PipelinePool } from './pool.ts';

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

/** The modes that answer, in their order. Every pipeline opened for it is closed again. */
export async function probeAll(modes: readonly Mode[], signal: AbortSignal): Promise<Mode[]> {
  const left = [...modes.entries()];
  const good = new Set<number>();
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [i, mode] = next;
      const pool = new PipelinePool(PROBE_TIMEOUT_MS);
      try {
        if (await probeMode(mode, pool, signal)) good.add(i);
      } finally {
        await pool.close();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return modes.filter((_, i) => good.has(i));
}
