import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.ts';

describe('nearest', () => {
  const keys = ['source', 'targets', 'include', 'exclude', 'engine'];

  it.each([
    ['sourc', 'source'],
    ['Sources', 'source'],
    ['target', 'targets'],
    ['includes', 'include'],
    ['xclude', 'exclude'],
    ['enigne', 'engine'],
    ['engine', 'engine'],
  ])('suggests %s for %s', (word, meant) => {
    expect(nearest(word, keys)).toBe(meant);
  });

  it.each(['', 'so', 'output', 'zzzzzz', 'x'.repeat(10_000)])('suggests nothing for %j', (word) => {
    expect(nearest(word, keys)).toBeUndefined();
  });

  it('counts two swapped letters of a short word as one mistake', () => {
    expect(nearest('snyc', ['status', 'sync'])).toBe('sync');
    expect(nearest('ysnc', ['status', 'cnys'])).toBeUndefined();
  });

  it('prefers the nearest, then the earliest', () => {
    expect(nearest('abcdef', ['abcxyf', 'abcdeg', 'abcdeh'])).toBe('abcdeg');
  });
});
