import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundHint, boundTerm } from '../../src/engines/hints.ts';
import { HOSTILE_HINT } from './hostile-hints.ts';
import { codePoint } from '../code-point.ts';

describe('a hint that is sent', () => {
  it('is unchanged if it is short', () => {
    const hint = {
      keys: ['a.b'],
      comments: ['On a button'],
      limit: { max: 12, unit: 'characters' } as const,
      neighbours: ['One', 'Two'],
      similar: [{ source: 'a <x id="1"/>', translation: 'b <x id="1"/>', similarity: 0.9 }],
    };
    expect(boundHint(hint)).toEqual(hint);
    expect(boundTerm({ term: 'a', translation: 'b', note: 'c' })).toEqual({
      term: 'a',
      translation: 'b',
      note: 'c',
    });
  });

  it('is undefined without content', () => {
    expect(boundHint(undefined)).toBeUndefined();
    expect(boundHint({})).toBeUndefined();
    expect(boundHint({ keys: [], comments: ['', ' \n\u0000'], similar: [] })).toBeUndefined();
    expect(boundTerm({ term: 'a', translation: 'b', note: ' ' })).toEqual({ term: 'a', translation: 'b' });
  });

  it('truncates long parts, with an ellipsis', () => {
    const comment = boundHint({ comments: ['word '.repeat(20_000)] })?.comments?.[0];
    expect(comment).toMatch(/^word word .*…$/);
    expect(comment).toHaveLength(500);
    // A surrogate pair at the cut.
    const emoji = boundHint({ comments: [`${'x'.repeat(498)}😀😀`] })?.comments?.[0];
    expect(emoji).toBe(`${'x'.repeat(498)}…`);
    const spaces = boundHint({ comments: [`a${' '.repeat(5000)}b`] })?.comments?.[0];
    expect(spaces).toBe('a…');
  });

  it('has no truncated text with tags, and at most three texts', () => {
    const similar = ['a'.repeat(601), 'a', 'b', 'c', 'd'].map((source) => ({
      source,
      translation: source,
      similarity: 0.8,
    }));
    expect(boundHint({ similar })?.similar?.map(({ source }) => source)).toEqual(['a', 'b', 'c']);
  });

  it('is short and on one line for any content', () => {
    const texts = fc.array(fc.oneof(fc.string({ unit: codePoint, maxLength: 3000 }), fc.string()), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(fc.record({ keys: texts, comments: texts, neighbours: texts }), (hint) => {
        const bounded = boundHint(hint) ?? {};
        const all = [bounded.keys, bounded.comments, bounded.neighbours].flatMap((list) => list ?? []);
        for (const text of all) {
          expect(text).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}|^\s|\s$/u);
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toBe('');
          expect(text.length).toBeLessThanOrEqual(500);
        }
        expect(all.length).toBeLessThanOrEqual(10);
      }),
    );
    expect(JSON.stringify(boundHint(HOSTILE_HINT)).length).toBeLessThan(8000);
  });
});
