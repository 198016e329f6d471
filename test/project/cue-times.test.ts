import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scanSubtitles } from '../../src/formats/subtitles/format.ts';
import { compareTimes } from '../../src/project/plan/cue-times.ts';

type Span = readonly [start: number, length: number];

function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23).replace('.', ',');
}

function film(spans: readonly Span[]): ReturnType<typeof scanSubtitles> {
  const cues = spans.map(
    ([start, length], i) => `${i + 1}\n${stamp(start)} --> ${stamp(start + length)}\nText ${i}\n`,
  );
  return scanSubtitles(cues.join('\n'), 'srt');
}

const spans = fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 1, max: 300 })), {
  minLength: 1,
  maxLength: 30,
});

it('each cue is paired with the next one that begins at the same time, and overlapping cues are found', () => {
  fc.assert(
    fc.property(spans, spans, (source, target) => {
      const times = compareTimes(film(source), film(target));
      const expected = new Map<number, number>();
      let from = 0;
      for (const [slot, [start]] of source.entries()) {
        const at = target.findIndex(([other], i) => i >= from && Math.abs(other - start) <= 50);
        if (at < 0) continue;
        expected.set(slot, at);
        from = at + 1;
      }
      expect(times?.pairs).toEqual(expected);
      for (const [slot, [start, length]] of source.entries()) {
        const isShown = target.some(([begin, own]) => begin <= start + length && start <= begin + own);
        expect(times?.isCovered(slot)).toBe(isShown);
      }
    }),
  );
});
