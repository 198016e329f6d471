import type { Engine } from '../../src/engines/engine.ts';

/** Answers at once with a slightly longer text, so that everything else is measured. */
export const ECHO: Engine = {
  id: 'echo',
  status: () => Promise.resolve({ id: 'echo', ready: true, detail: 'for measuring', pairs: 'any' }),
  supports: () => Promise.resolve(true),
  translate: ({ texts }) => Promise.resolve(texts.map((one) => ({ translation: `${one} encore` }))),
  close: () => Promise.resolve(),
};

/** Returns a function that does the work and resolves to its duration in milliseconds. */
export function timed(work: () => unknown): () => Promise<number> {
  return async () => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
}
