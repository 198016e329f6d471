import { describe, expect, it } from 'vitest';
import type { UnitOutcome } from '../../src/pipeline/unit.ts';
import { translateChunks } from '../../src/pipeline/units.ts';
import { adversary } from './adversary.ts';

/** More values than are held in memory at once. */
const MANY = 5_000;

describe('translateChunks', () => {
  it('sends equal segments once, even across chunks', async () => {
    const engine = adversary((text) => text.toUpperCase());
    const outcomes: UnitOutcome[] = [];
    await translateChunks(
      MANY,
      (i) => ({ value: `word ${'abcdefghij'.charAt(i % 10)}`, syntax: 'plain' }),
      (_, outcome) => outcomes.push(outcome),
      { engine, source: 'en', target: 'de', signal: new AbortController().signal },
    );
    expect(outcomes).toHaveLength(MANY);
    expect(engine.asked).toHaveLength(10);
  });

  it('sends damaged texts to the next engine', async () => {
    const next = { ...adversary((text) => `${text}!`), id: 'next' };
    // This engine turns every text into syntax, whole or in parts.
    const first = { ...adversary((text) => `${text} {made up}`), next };
    const values: string[] = [];
    await translateChunks(
      MANY,
      (i) => ({ value: `text ${'abcdefghij'.charAt(i % 10)}`, syntax: 'plain' }),
      (_, outcome) => values.push('value' in outcome ? outcome.value : outcome.failure),
      { engine: first, source: 'en', target: 'de', signal: new AbortController().signal },
    );
    expect(new Set(values.map((value) => value.replace(/ .!$/, ' ?!')))).toEqual(new Set(['text ?!']));
  });
});
