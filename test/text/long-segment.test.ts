import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLongSegment } from '../../src/text/long-segment.ts';
import { tokenize, writeTagged, type Token } from '../../src/text/tagged.ts';
import { processorTime } from '../processor-time.ts';

const count = (text: string): number => Array.from(text).length;

const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      fc.constantFrom('. ', '! ', '\n', ' ', '。', ' & ', ' < ', ' > ', 'Mr. Smith ', '🙂', '12', '   '),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts): Token[] => [{ type: 'words', text: parts.join('') }]);

/** Well-formed tagged texts with nested pairs. */
const texts = fc
  .letrec<{ all: Token[]; one: Token[] }>((tie) => ({
    one: fc.oneof(
      { depthSize: 'small' },
      words,
      fc.constant<Token[]>([{ type: 'placeholder', id: 0 }]),
      tie('all').map((inner): Token[] => [{ type: 'open', id: 0 }, ...inner, { type: 'close', id: 0 }]),
    ),
    all: fc.array(tie('one'), { minLength: 1, maxLength: 6 }).map((parts) => parts.flat()),
  }))
  .all.map((tokens) => {
    let last = 4;
    return writeTagged(
      tokens.map((token) =>
        token.type === 'open' || token.type === 'placeholder' ? { ...token, id: (last += 3) } : token,
      ),
    );
  });

describe('a long segment', () => {
  it('is split at sentence ends, into texts whose ids count from 1', () => {
    const cut = splitLongSegment('One <x id="7"/> is. Two <x id="9">is</x> too. Three is.', 30);
    expect(cut?.runs).toEqual(['One <x id="1"/> is.', 'Two <x id="1">is</x> too.', 'Three is.']);
    expect(cut?.join(['Eins ist <x id="1"/>.', '<x id="1">Zwei</x> auch.', 'Drei ist.'])).toBe(
      'Eins ist <x id="7"/>. <x id="9">Zwei</x> auch. Drei ist.',
    );
  });

  it('is split within a pair that is itself too long, and keeps the tags of the pair', () => {
    const cut = splitLongSegment('<x id="1">One is. <x id="2">Two</x> is. Three is.</x>', 24);
    expect(cut?.runs).toEqual(['One is.', '<x id="1">Two</x> is.', 'Three is.']);
    expect(cut?.join(['1.', '<x id="1">2</x>.', '3.'])).toBe('<x id="1">1. <x id="2">2</x>. 3.</x>');
  });

  it('that is short enough, or broken, stays whole', () => {
    expect(splitLongSegment('One is. Two is.', 15)).toBeUndefined();
    expect(splitLongSegment('🙂'.repeat(15), 15)).toBeUndefined();
    expect(splitLongSegment('One is. <x id="1">Two is. Three is.', 15)).toBeUndefined();
  });

  it('is cut into short, well-formed runs that join to the original, for any text', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 30, max: 60 }), (tagged, limit) => {
        const cut = splitLongSegment(tagged, limit);
        if (!cut) {
          expect(count(tagged)).toBeLessThanOrEqual(limit);
          return;
        }
        expect(cut.join(cut.runs)).toBe(tagged);
        for (const run of cut.runs) {
          expect(count(run)).toBeLessThanOrEqual(limit);
          const ids = tokenize(run)?.flatMap((token) =>
            token.type === 'open' || token.type === 'placeholder' ? [token.id] : [],
          );
          expect(ids).toEqual(Array.from(ids ?? [], (_, i) => i + 1));
          expect(run).toMatch(/\p{L}/u);
        }
      }),
    );
  });

  it('is split in time proportional to its length', () => {
    for (const unit of ['a b. <x id="N"/> ', 'ab', '<x id="N">a b. </x>', '&amp;', '。']) {
      const text = (times: number): string =>
        Array.from({ length: times }, (_, i) => unit.replace('N', `${i + 1}`)).join('');
      const time = (tagged: string): number => {
        const start = processorTime();
        splitLongSegment(`<x id="900000">${tagged}</x>`, 8_000);
        return processorTime() - start;
      };
      time(text(10_000));
      const most = Math.max(time(text(20_000)), 10) * 8 * 5;
      const long = text(160_000);
      let least = time(long);
      // A garbage collection may disturb one reading, but not every one.
      for (let left = 2; left > 0 && least > most; left--) least = Math.min(least, time(long));
      expect(least).toBeLessThan(most);
    }
  });
});
