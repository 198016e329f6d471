import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { GarbageCollection } from '../../src/cli/execution/garbage.ts';

const MEGABYTE = 1_000_000;

describe('a collection of garbage', () => {
  it('frees the texts that a language no longer needs', () => {
    const language = {
      texts: Array.from({ length: 600_000 }, (_, i) => ({ text: `text ${i}`, keys: [i, i + 1] })),
    };
    const before = getHeapStatistics().used_heap_size;
    language.texts = [];
    new GarbageCollection().collect();
    expect(getHeapStatistics().used_heap_size).toBeLessThan(before - 30 * MEGABYTE);
  });
});
