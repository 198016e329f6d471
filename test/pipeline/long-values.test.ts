import { describe, expect, it } from 'vitest';
import type { EngineOutcome, EngineRequest } from '../../src/engines/engine.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import type { SegmentEntry } from '../../src/pipeline/unit.ts';
import { fakeEngine } from '../jobs/room.ts';

/** The maximum number of code points in a segment. */
const BOUND = 8_000;

interface Run {
  readonly value: string;
  readonly answer?: (text: string) => EngineOutcome;
  readonly journal?: Map<string, string>;
}

/** Translates one value, and returns the outcome and the texts that the engine received. */
async function translate({ value, answer = upperCase, journal }: Run) {
  const texts: string[] = [];
  const engine = fakeEngine((request: EngineRequest) => {
    texts.push(...request.texts);
    return Promise.resolve(request.texts.map((text) => answer(text)));
  });
  const put = (entries: readonly SegmentEntry[]): Promise<void> => {
    for (const { tagged, translation } of entries) journal?.set(tagged, translation);
    return Promise.resolve();
  };
  const get = (_engine: string, _source: string, _target: string, tagged: string) => journal?.get(tagged);
  const [outcome] = await translateUnits([{ value, syntax: 'plain' }], {
    engine,
    source: 'en',
    target: 'fr',
    signal: new AbortController().signal,
    ...(journal && { journal: { get, put } }),
  });
  return { outcome, texts };
}

/** Upper case, except for the tags. */
const upperCase = (text: string): EngineOutcome => ({
  translation: text.replace(/[^<>]+(?=<|$)/g, (words) => words.toUpperCase()),
});
const same = (translation: string): EngineOutcome => ({ translation });

const PROSE = Array.from(
  { length: 2_000 },
  (_, i) => `Sentence ${i} of {name} ends here.${i % 7 === 0 ? '\n\n  ' : ' '}`,
).join('');

describe('a long value', () => {
  it('is sent in bounded sentences, and returned completely', async () => {
    const { outcome, texts } = await translate({ value: PROSE });
    expect(texts.length).toBeGreaterThan(10);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(BOUND);
    for (const text of texts) expect(text).toMatch(/^Sentence.*ends here\.$/s);
    const expected = PROSE.toUpperCase().replaceAll('{NAME}', '{name}');
    expect(outcome).toEqual({ value: expected, engine: 'fake' });
  });

  it.each([
    ['without spaces', 'a'.repeat(50_000)],
    ['within one element', `<b>${PROSE}</b>`],
    ['with escapes', 'a &amp; b &lt; c. '.repeat(5_000)],
    ['of characters beyond the first plane', '😀 𝒜'.repeat(20_000)],
    ['of sentences in Chinese', '你好，世界。'.repeat(10_000)],
    ['of digits', '1234 5678. '.repeat(5_000)],
  ])('%s stays byte for byte the same if the engine changes nothing', async (_kind, value) => {
    const { outcome, texts } = await translate({ value, answer: same });
    expect(outcome).toMatchObject({ value });
    for (const text of texts) expect(Array.from(text).length).toBeLessThanOrEqual(BOUND);
  });

  it('fails if a part of it fails', async () => {
    const answer = (text: string): EngineOutcome =>
      text.includes('Sentence 1000 ') ? { failure: 'no' } : upperCase(text);
    expect((await translate({ value: PROSE, answer })).outcome).toEqual({ failure: 'no', kind: 'engine' });
  });

  it('requests only the parts that are not in the journal', async () => {
    const journal = new Map<string, string>();
    const { texts: all } = await translate({ value: PROSE, journal });
    const [first, second] = all;
    journal.delete(first ?? '');
    journal.delete(second ?? '');
    expect((await translate({ value: PROSE, journal })).texts).toEqual([first, second]);
  });
});
