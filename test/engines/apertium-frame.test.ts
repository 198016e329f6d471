import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame, readFrameId } from '../../src/engines/apertium/pipeline.ts';
import { processorTime } from '../processor-time.ts';

/** Prose as in records: every special character is escaped or in a blank. */
const record = fc
  .array(
    fc.constantFrom('house', ' ', '.', '!', 'e.g.', '[b0]', '[b1]', '[[t:x:1]]a[[/]]', '\\[', '\n', '7-1'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));
const records = fc.array(record, { minLength: 1, maxLength: 40 });

describe('a frame of records', () => {
  it('passes unchanged through stages that change nothing', () => {
    fc.assert(
      fc.property(fc.nat(), records, (id, given) => {
        const answer = encodeFrame(id, given).slice(0, -1);
        expect(readFrameId(answer)).toBe(id);
        const decoded = decodeFrame(id, given, answer);
        expect(decoded.map((one) => one?.trimEnd())).toEqual(given.map((one) => one.trimEnd()));
      }),
    );
  });

  it('never assigns a blank to another record, no matter how blanks move', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.nat(), (given, from, to) => {
        const answer = encodeFrame(3, given).slice(0, -1);
        const blanks = [...answer.matchAll(/\[b\d-\d+\]/g)];
        const blank = blanks[from % Math.max(1, blanks.length)];
        if (!blank) return;
        const rest = answer.slice(0, blank.index) + answer.slice(blank.index + blank[0].length);
        const at = to % (rest.length + 1);
        const moved = rest.slice(0, at) + blank[0] + rest.slice(at);
        for (const [k, body] of decodeFrame(3, given, moved).entries()) {
          const own = [...(given[k] ?? '').matchAll(/\[b\d\]/g)].map(([name]) => name);
          const found = [...(body ?? '').matchAll(/\[b\d\]/g)].map(([name]) => name);
          // Blanks may be lost here: a later step looks for all of them.
          expect(own).toEqual(expect.arrayContaining(found));
          expect(found.length).toBeLessThanOrEqual(own.length);
        }
      }),
    );
  });

  it('is read in linear time', () => {
    const given = Array.from({ length: 2_000 }, () => 'a');
    for (const noise of ['. [', '.[b0]', '[]', '[1-', '. ']) {
      const started = processorTime();
      decodeFrame(1, given, `[1-0]${noise.repeat(100_000)}`);
      decodeFrame(1, ['a'], `[1-0]${noise.repeat(100_000)}`);
      expect(processorTime() - started).toBeLessThan(2_000);
    }
  });

  it.each<[string, readonly (string | undefined)[]]>([
    ['[1-0]uno.[]\n[1-1]dos.[]', ['uno', 'dos\n'.trim()]],
    ['[1-1]dos.[]\n[1-0]uno.[]', [undefined, undefined]],
    ['[1-0]uno.[]', [undefined, undefined]],
    ['[1-0]uno.[]\n[1-1]dos', ['uno', undefined]],
    ['[1-0]uno[b0-1].[]\n[1-1]dos.[]', [undefined, 'dos']],
    ['', [undefined, undefined]],
  ])('reads %j', (answer, expected) => {
    expect(decodeFrame(1, ['one', 'two'], answer).map((one) => one?.trim())).toEqual(expected);
  });
});
