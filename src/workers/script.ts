/** A script of the program that runs as a worker. */
export interface WorkerScript {
  /** The name in the system's thread lists. */
  readonly name: string;
  /** The path of its source, below `src/`. */
  readonly source: string;
  /** The path of its file in the bundle. */
  readonly bundled: string;
}

/**
 * Locates a worker's script: an entry point next to the bundle, whose chunks are one directory below, or the source
 * with a loader if the program runs from its sources.
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
