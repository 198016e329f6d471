import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../../src/service/split-text.ts';
import { processorTime } from '../processor-time.ts';

const PLACEHOLDERS = [
  '{name}',
  '%1$s',
  '${count}',
  '{{ user.name }}',
  '<br/>',
  'https://example.com/a?b=c.d',
];

const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[^\p{L}\p{N}\p{So}]/gu, 'x')),
    fc.constantFrom('. ', '! ', '\n', ' ', '。', ', ', 'Mr. Smith ', '🙂'),
    fc.constantFrom(...PLACEHOLDERS).map((placeholder) => ` ${placeholder} `),
  ),
  { maxLength: 80 },
);

const count = (text: string): number => Array.from(text).length;

describe('splitText', () => {
  it('keeps a text within the limit whole', () => {
    expect(splitText('One. Two.', 9)).toEqual(['One. Two.']);
    expect(splitText('🙂'.repeat(9), 9)).toHaveLength(1);
    expect(splitText('', 9)).toEqual(['']);
  });

  it('splits at sentence ends', () => {
    expect(splitText('One is. Two is. Three is.', 16)).toEqual(['One is. Two is. ', 'Three is.']);
    expect(splitText('一つ。二つ。三つ。', 6)).toEqual(['一つ。二つ。', '三つ。']);
    expect(splitText('  One\n\n\tTwo\n', 9)).toEqual(['  One\n\n', '\tTwo\n']);
  });

  it('splits a long sentence between words, and a long word anywhere', () => {
    expect(splitText('One two three four', 9)).toEqual(['One two ', 'three ', 'four']);
    expect(splitText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(splitText('👨‍👩‍👧👨‍👩‍👧', 6)).toEqual(['👨‍👩‍👧', '👨‍👩‍👧']);
  });

  it('does not split a placeholder, even a long one', () => {
    expect(splitText('See https://example.com/a.b?c=d. Now', 10)).toContain('https://example.com/a.b?c=d');
    expect(splitText('{n, plural, one {# file. Yes.} other {# files. Yes.}}', 20)).toHaveLength(1);
  });

  it('splits any text into parts within the limit that join to the original', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 40, max: 90 }), (texts, limit) => {
        const text = texts.join('');
        const parts = splitText(text, limit);
        expect(parts.join('')).toBe(text);
        for (const part of parts) expect(count(part)).toBeLessThanOrEqual(limit);
        const has = (whole: string, placeholder: string): number => whole.split(placeholder).length - 1;
        for (const placeholder of PLACEHOLDERS) {
          const kept = parts.reduce((sum, part) => sum + has(part, placeholder), 0);
          expect(kept).toBe(has(text, placeholder));
        }
      }),
    );
  });

  it('takes time proportional to the length', () => {
    const time = (text: string): number => {
      const start = processorTime();
      splitText(text, 5000);
      return processorTime() - start;
    };
    time('a b. {x} '.repeat(10_000));
    const small = time('a b. {x} '.repeat(20_000));
    const large = time('a b. {x} '.repeat(160_000));
    expect(large).toBeLessThan(Math.max(small, 5) * 8 * 5);
  });
});
