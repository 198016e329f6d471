import { describe, expect, it } from 'vitest';
import { FUZZED } from '../../scripts/fuzz/documents.ts';
import { findGrowth } from '../hostile/growth.ts';
import { HOSTILE_NOTATIONS } from '../hostile/notations.ts';
import { someShapes } from '../hostile/shapes.ts';
import { workOn } from '../hostile/work.ts';

/** Reading running text takes ten times as long: `hostile-markdown.test.ts` has its own shapes. */
const TRIED = FUZZED.filter((fuzzed) => fuzzed !== 'markdown' && fuzzed !== 'mdx');

/** Beginnings of syntax that never end, which a careless reader looks for again and again. */
describe('hostile files', () => {
  it.each(TRIED)('%s: time grows with the length only', { timeout: 1_200_000 }, async (fuzzed) => {
    const work = await workOn(fuzzed);
    for (const shape of someShapes(HOSTILE_NOTATIONS[fuzzed])) {
      expect(await findGrowth(work, shape), shape.name).toEqual([]);
    }
  });
});
