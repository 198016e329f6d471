/** A script of the program that runs as a worker. */
export interface WorkerScript {
  /** For the platform's lists of threads. */
  readonly name: string;
  /** Its source, below `src/`. */
  readonly source: string;
  /** Its file in the bundle. */
  readonly bundled: string;
}

/**
 * Where a worker's script is: an entry point beside the bundle, whose chunks lie one directory below; or, when the
 * program runs from its sources, the source, with a loader that reads it.
 */
export function locateScript(
  { source, bundled }: WorkerScript,
  here: string = import.meta.url,
): { readonly url: URL; readonly execArgv: readonly string[] } {
  if (here.endsWith('.ts')) {
    const loader = new URL('./source-loader.mjs', here).href;
    return { url: new URL(`../${source}`, here), execArgv: ['--import', loader] };
  }
  const isChunk = /\/chunks\/[^/]+$/.test(here);
  return { url: new URL(isChunk ? `../${bundled}` : `./${bundled}`, here), execArgv: [] };
}
