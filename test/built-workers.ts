import type { Plugin } from 'vitest/config';

const BUNDLE = new URL('../dist/main.js', import.meta.url).href;
/** How the functions that name a worker's script know where the program is. */
const PLACE = 'here: string = import.meta.url';

/**
 * Starts worker processes and threads from dist, which is built before the tests: one that first has to read the sources
 * takes four times as much of the processor.
 */
export const builtWorkers = {
  name: 'built-workers',
  enforce: 'pre',
  transform: (code: string, path: string) =>
    path.includes('/src/') ? code.replaceAll(PLACE, `here: string = '${BUNDLE}'`) : undefined,
} satisfies Plugin;
