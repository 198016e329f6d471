import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chrf, CHRF_SIGNATURE } from '../../src/text/chrf.ts';
import { codePoint } from '../code-point.ts';

type Pair = readonly [hypothesis: string, reference: string];

function scoreOf(...pairs: readonly Pair[]): number {
  const chrf = new Chrf();
  for (const [hypothesis, reference] of pairs) chrf.add(hypothesis, reference);
  return chrf.score;
}

interface Recorded {
  readonly tool: string;
  readonly signature: string;
  readonly sentences: readonly { what: string; hypothesis: string; reference: string; score: number }[];
  /** Each corpus consists of some of the `sentences`, by index. */
  readonly corpora: readonly { what: string; rows: readonly number[]; score: number }[];
}

/** The results of `CHRF().sentence_score` and `.corpus_score` of sacreBLEU. */
const recorded = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../fixtures/evaluation/chrf.json'), 'utf8'),
) as Recorded;

describe('chrF by hand', () => {
  it.each<[string, Pair, number]>([
    // Single characters 2 of 3, pairs 1 of 2, the one triple is wrong: (2/3 + 1/2 + 0) / 3, both ways.
    ['the same length', ['abc', 'abd'], (100 * 7) / 18],
    // Precision 1, recall 1/2; the translation has no pair, so pairs do not count.
    ['recall has a higher weight', ['a', 'ab'], (100 * 5 * 0.5) / (4 + 0.5)],
    ['precision has a lower weight', ['ab', 'a'], (100 * 5 * 0.5) / (4 * 0.5 + 1)],
    // Characters 2 of 3, pairs 1 of 2; the reference has no triple, so triples do not count.
    [
      'an n-gram matches as often as it occurs in both',
      ['aaa', 'aa'],
      (100 * 5 * (7 / 12)) / (4 * (7 / 12) + 1),
    ],
    ['white space does not count', ['a b', ' ab\n'], 100],
    ['case counts', ['A', 'a'], 0],
    ['an emoji is one character', ['🎉🎊', '🎉🎋'], 25],
  ])('%s', (_, pair, score) => {
    expect(scoreOf(pair)).toBeCloseTo(score, 10);
  });

  it('is computed from all pairs together, not as the mean of their scores', () => {
    // Characters 1 of 5 in the translations, 1 of 4 in the references; pairs 0 of 3 and of 2; triples 0 of 2 and of 1;
    // the reference has no sequence as long as the four characters of "wxyz".
    expect(scoreOf(['a', 'a'], ['wxyz', 'bcd'])).toBeCloseTo(
      (100 * 5 * (1 / 15) * (1 / 12)) / (4 / 15 + 1 / 12),
      10,
    );
  });

  it('is 0 for an empty text', () => {
    expect(new Chrf().score).toBe(0);
  });
});

describe('chrF as sacreBLEU computes it', () => {
  it('has its signature', () => {
    const common = recorded.signature.replace(/\|version:.*/, '');
    expect(CHRF_SIGNATURE).toBe(`chrF2|${common}`);
    expect(recorded.tool).toMatch(/^sacrebleu \d/);
    expect(recorded.sentences.length).toBeGreaterThan(20);
  });

  it.each(recorded.sentences.map((each) => [each.what, each] as const))(
    '%s',
    (_, { hypothesis, reference, score }) => {
      expect(scoreOf([hypothesis, reference])).toBeCloseTo(score, 8);
    },
  );

  it.each(recorded.corpora.map((each) => [each.what, each] as const))('of rows: %s', (_, { rows, score }) => {
    const pairs = rows.map((row): Pair => {
      const sentence = recorded.sentences[row]!;
      return [sentence.hypothesis, sentence.reference];
    });
    expect(scoreOf(...pairs)).toBeCloseTo(score, 8);
  });
});

describe('chrF of any texts', () => {
  const text = fc.string({ unit: codePoint, maxLength: 40 });
  const withWords = text.filter((value) => /[^\s\p{C}]/u.test(value));

  it('is between 0 and 100, and 100 for a text and itself', () => {
    fc.assert(
      fc.property(text, withWords, (a, b) => {
        const score = scoreOf([a, b]);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100 + 1e-9);
        expect(scoreOf([b, b])).toBeCloseTo(100, 10);
      }),
    );
  });

  it('does not depend on the order of the pairs', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        expect(scoreOf(...pairs.toReversed())).toBe(scoreOf(...pairs));
      }),
    );
  });
});
