import { Random, seedOf } from '../../src/plugins/contract/random.ts';
import { findGrowth } from '../../test/hostile/growth.ts';
import { HOSTILE_NOTATIONS } from '../../test/hostile/notations.ts';
import { allShapes, randomShape } from '../../test/hostile/shapes.ts';
import { workOn } from '../../test/hostile/work.ts';
import type { Fuzzed } from './documents.ts';

interface Hunt {
  readonly fuzzed: Fuzzed;
  /** The number of random texts. 0: every piece of the notation in every place instead. */
  readonly trials: number;
  readonly seed: number;
  readonly onFound: (name: string, steps: readonly string[]) => void;
  readonly onProgress: (done: number) => void;
}

/**
 * Searches for texts whose processing time is not proportional to their length.
 * @returns the number of texts tried
 */
export async function huntGrowth({ fuzzed, trials, seed, onFound, onProgress }: Hunt): Promise<number> {
  const work = await workOn(fuzzed);
  const notation = HOSTILE_NOTATIONS[fuzzed];
  const shapes =
    trials === 0
      ? allShapes(notation)
      : Array.from({ length: trials }, (_, i) => randomShape(notation, new Random(seedOf(seed, i))));
  for (const [i, shape] of shapes.entries()) {
    const steps = await findGrowth(work, shape);
    if (steps.length > 0) onFound(shape.name, steps);
    onProgress(i + 1);
  }
  return shapes.length;
}
