import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { GarbageCollection } from '../../src/cli/execution/garbage.ts';

const MEGABYTE = 1_000_000;

/** Many objects, which stay referenced until `texts` is emptied. */
const manyTexts = () => ({
  texts: Array.from({ length: 600_000 }, (_, i) => ({ text: `text ${i}`, keys: [i, i + 1] })),
});

describe('garbage collection', () => {
  it('frees the texts that a language no longer needs', () => {
    const garbage = new GarbageCollection();
    const language = manyTexts();
    const before = getHeapStatistics().used_heap_size;
    language.texts = [];
    garbage.collect();
    expect(getHeapStatistics().used_heap_size).toBeLessThan(before - 30 * MEGABYTE);
  });

  it('is not triggered by a heap that was already large before, as in a program that runs many syncs', () => {
    const program = manyTexts();
    const garbage = new GarbageCollection();
    const before = getHeapStatistics().used_heap_size;
    program.texts = [];
    garbage.collect();
    expect(getHeapStatistics().used_heap_size).toBeGreaterThan(before - 30 * MEGABYTE);
  });
});
