interface WorkerScript {
  readonly url: URL;
  readonly execArgv: readonly string[];
}

/**
 * The script of the worker: an entry point of its own beside the bundle, whose chunks lie one directory below; or, when
 * the program runs from its sources, the source, with a loader that reads it.
 */
export function modelWorkerScript(here: string = import.meta.url): WorkerScript {
  if (here.endsWith('.ts')) {
    const loader = new URL('./source-loader.mjs', here).href;
    return { url: new URL('./worker.ts', here), execArgv: ['--import', loader] };
  }
  const isChunk = /\/chunks\/[^/]+$/.test(here);
  return { url: new URL(isChunk ? '../firefox-worker.js' : './firefox-worker.js', here), execArgv: [] };
}
