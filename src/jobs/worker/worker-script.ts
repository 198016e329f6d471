/** A script of the program: its source, as seen from here, and its file in the bundle. */
export interface ScriptNames {
  readonly source: string;
  readonly bundled: string;
}

const JOB_WORKER: ScriptNames = { source: './worker.ts', bundled: 'job-worker.js' };

interface WorkerScript {
  readonly url: URL;
  readonly execArgv: readonly string[];
}

/**
 * The script of a worker: an entry point of its own beside the bundle, whose chunks lie one directory below; or, when
 * the program runs from its sources, the source, with a loader that reads it.
 */
export function workerScript(
  { source, bundled }: ScriptNames = JOB_WORKER,
  here: string = import.meta.url,
): WorkerScript {
  if (here.endsWith('.ts')) {
    const loader = new URL('./source-loader.mjs', here).href;
    return { url: new URL(source, here), execArgv: ['--import', loader] };
  }
  const isChunk = /\/chunks\/[^/]+$/.test(here);
  return { url: new URL(isChunk ? `../${bundled}` : `./${bundled}`, here), execArgv: [] };
}
