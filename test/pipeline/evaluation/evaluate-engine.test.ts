import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../../src/base/errors.ts';
import type { Engine, EngineOutcome } from '../../../src/engines/engine.ts';
import { evaluateEngine, type Evaluation } from '../../../src/pipeline/evaluation/evaluate-engine.ts';
import type { TestRow } from '../../../src/pipeline/evaluation/test-set.ts';
import { Chrf } from '../../../src/text/chrf.ts';
import { adversary, DAMAGES } from '../adversary.ts';

const rowsOf = (...pairs: readonly (readonly [source: string, reference: string])[]): TestRow[] =>
  pairs.map(([source, reference], i) => ({ line: i + 1, source, reference, syntax: 'plain' }));

const ROWS: readonly TestRow[] = [
  ...rowsOf(
    ['Good morning', 'GOOD MORNING'],
    ['Hello {name}', 'HELLO {name}'],
    ['<b>Bold</b> text', '<b>BOLD</b> TEXT'],
  ),
  {
    line: 4,
    source: '{n, plural, one {# file} other {# files}}',
    reference: '{n, plural, one {# FILE} other {# FILES}}',
    syntax: 'icu',
  },
];

const upperCase = (text: string): string =>
  text.replace(
    /(<x id="\d+"\/?>|<\/x>|&\w+;)|[^<&]+/g,
    (all: string, tag?: string) => tag ?? all.toUpperCase(),
  );

const never = new AbortController().signal;

function evaluate(rows: readonly TestRow[], engine: Engine, options: object = {}): Promise<Evaluation> {
  return evaluateEngine(rows, { engine, source: 'en', target: 'de', signal: never, ...options });
}

/** An engine that answers each text with the result of `answer`. */
function engineThat(answer: (text: string) => EngineOutcome, more: Partial<Engine> = {}): Engine {
  return {
    ...adversary(upperCase),
    translate: ({ texts }) => Promise.resolve(texts.map(answer)),
    ...more,
  };
}

function chrfOf(pairs: readonly (readonly [string, string])[]): number {
  const chrf = new Chrf();
  for (const [hypothesis, reference] of pairs) chrf.add(hypothesis, reference);
  return chrf.score;
}

describe('an evaluation', () => {
  it('is perfect if all translations equal the references', async () => {
    expect(await evaluate(ROWS, adversary(upperCase))).toMatchObject({
      chrf: expect.closeTo(100, 10),
      placeholders: { rows: 3, raw: 3, final: 3 },
      failures: [],
      engines: new Map([['adversary', 4]]),
    });
  });

  it('compares complete values, after all processing', async () => {
    const rows = rowsOf(['Hello {name}', 'Hola {name}'], ['Bye', 'Adiós']);
    const { chrf } = await evaluate(rows, adversary(DAMAGES['space']!));
    expect(chrf).toBeCloseTo(
      chrfOf([
        ['Hello {name}', 'Hola {name}'],
        ['Bye', 'Adiós'],
      ]),
      10,
    );
  });

  it.each([
    ['an answer that can be repaired', DAMAGES['space']!],
    ['an answer that is requested again in parts', DAMAGES['drop all']!],
    ['a doubled placeholder', DAMAGES['double']!],
  ])('does not count %s as exact', async (_, damage) => {
    const rows = rowsOf(['Good morning', 'x'], ['Hello {name}!', 'x'], ['{a} and {b}', 'x']);
    expect(await evaluate(rows, adversary(damage))).toMatchObject({
      placeholders: { rows: 2, raw: 0, final: 2 },
      failures: [],
    });
  });

  it('counts a row as exact only if all its texts are', async () => {
    const damaged = adversary((text) =>
      text.includes('files') ? upperCase(text).replace('/>', '>') : upperCase(text),
    );
    expect((await evaluate(ROWS, damaged)).placeholders).toEqual({ rows: 3, raw: 2, final: 3 });
  });

  it('counts invalid answers as failed, and as empty translations', async () => {
    const engine = engineThat((text) =>
      text.includes('Bold') ? { failure: 'too bold' } : { translation: upperCase(text) },
    );
    const evaluation = await evaluate(ROWS, engine);
    expect(evaluation.failures).toEqual([{ line: 3, reason: 'too bold' }]);
    expect(evaluation.placeholders).toEqual({ rows: 3, raw: 2, final: 2 });
    const pairs = ROWS.map(({ reference, line }) => [line === 3 ? '' : reference, reference] as const);
    expect(evaluation.chrf).toBeCloseTo(chrfOf(pairs), 10);
    expect(evaluation.chrf).toBeLessThan(95);
  });

  it('counts texts that a model only repeats as failed, as in other commands', async () => {
    const rows = rowsOf(
      ['The weather is nice today, so we walk home.', 'Das Wetter ist heute schön, also gehen wir zu Fuß.'],
      ['Good morning', 'Guten Morgen'],
    );
    const repeat = (text: string): EngineOutcome => ({
      translation: text.startsWith('Good') ? 'Guten Morgen' : text,
    });
    const { failures } = await evaluate(rows, engineThat(repeat, { isModel: true }));
    expect(failures).toMatchObject([{ line: 1 }]);
    expect((await evaluate(rows, engineThat(repeat))).failures).toEqual([]);
  });

  it('covers the rows translated before credits ran out', async () => {
    let calls = 0;
    const engine = engineThat((text) => ({ translation: upperCase(text) }), {
      batch: { texts: 1, characters: 1000 },
    });
    const poor: Engine = {
      ...engine,
      translate: (request, signal) =>
        ++calls > 2
          ? Promise.reject(new DragomanError('insufficient_credits', 'nothing left'))
          : engine.translate(request, signal),
    };
    const rows = Array.from({ length: 50 }, (_, i) => rowsOf([`Text {x} ${i}`, 'x'])[0]!);
    const { failures, placeholders } = await evaluate(rows, poor, { concurrency: 1 });
    expect(failures).toHaveLength(48);
    expect(failures[0]?.reason).toBe('nothing left');
    expect(placeholders).toEqual({ rows: 50, raw: 2, final: 2 });
    expect(calls).toBe(3);
  });

  it('sends nothing for rows without words', async () => {
    const engine = adversary(upperCase);
    const evaluation = await evaluate(rowsOf(['{count}', '{count}']), engine);
    expect(engine.asked).toEqual([]);
    expect(evaluation).toMatchObject({ chrf: 100, wordsPerSecond: undefined, placeholders: { rows: 0 } });
    expect(evaluation.engines.size).toBe(0);
  });

  it('accepts any number of rows, and sends equal texts once', async () => {
    const rows = Array.from(
      { length: 5_000 },
      (_, i) => rowsOf([`Row {x} ${i % 50}`, `ROW {x} ${i % 50}`])[0]!,
    );
    const engine = adversary(upperCase);
    const progress: number[] = [];
    const evaluation = await evaluate(rows, engine, { onProgress: (done: number) => progress.push(done) });
    expect(evaluation).toMatchObject({
      chrf: expect.closeTo(100, 10),
      placeholders: { rows: 5_000, raw: 5_000, final: 5_000 },
    });
    expect(engine.asked.length).toBe(new Set(engine.asked).size);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });
});

describe('an evaluation of a chain', () => {
  // The first one loses placeholders, and its words form syntax when they are translated alone.
  const first: Engine = {
    ...engineThat((text) => {
      if (!text.includes('Hello')) return { translation: upperCase(text) };
      return { translation: `${text.replace(/<x id="1"\/>/, '')} {new}` };
    }),
    id: 'first',
    next: { ...adversary(upperCase), id: 'second' },
  };

  it('shows which engine translated what, and counts only the first answer as exact', async () => {
    const rows = rowsOf(['Hello {name}', 'HELLO {name}'], ['Good {x} morning', 'GOOD {x} MORNING']);
    const evaluation = await evaluate(rows, first);
    expect(evaluation.engines).toEqual(
      new Map([
        ['second', 1],
        ['first', 1],
      ]),
    );
    expect(evaluation).toMatchObject({
      chrf: expect.closeTo(100, 10),
      placeholders: { rows: 2, raw: 1, final: 2 },
    });
  });
});

describe('the speed in an evaluation', () => {
  /** Each call takes a second of a clock that otherwise stands still; concurrent calls share it. */
  function slowEngine(): { readonly engine: Engine; readonly now: () => number } {
    let time = 0;
    let waiting: (() => void)[] = [];
    const tick = (): void => {
      time += 1000;
      const ended = waiting;
      waiting = [];
      for (const end of ended) end();
    };
    const engine: Engine = {
      ...adversary(upperCase),
      batch: { texts: 1, characters: 1000 },
      translate: async ({ texts }) => {
        await new Promise<void>((resolve) => {
          if (waiting.push(resolve) === 1) setImmediate(tick);
        });
        return texts.map((text) => ({ translation: upperCase(text) }));
      },
    };
    return { engine, now: () => time };
  }
  const rows = rowsOf(
    ['One two {x} three', 'x'],
    ['Four five', 'x'],
    ['Six <b>seven</b> eight', 'x'],
    ['日本語', 'x'],
  );

  it('is measured in words per working time of the engine', async () => {
    const { engine, now } = slowEngine();
    const { wordsPerSecond } = await evaluate(rows, engine, { concurrency: 1, now });
    // 3 + 2 + 3 + at least 1 words in 4 seconds.
    expect(wordsPerSecond).toBeGreaterThanOrEqual(9 / 4);
    expect(wordsPerSecond).toBeLessThanOrEqual(11 / 4);
  });

  it('counts overlapping calls once', async () => {
    const { engine, now } = slowEngine();
    const { wordsPerSecond } = await evaluate(rows, engine, { concurrency: 4, now });
    expect(wordsPerSecond).toBeGreaterThanOrEqual(9);
    expect(wordsPerSecond).toBeLessThanOrEqual(11);
  });
});

describe('an evaluation fails', () => {
  it('if an engine does not support the pair', async () => {
    const error = new DragomanError('engine_unavailable', 'not that one', { hint: 'Another.' });
    const engine = engineThat(() => ({ failure: '' }), { translate: () => Promise.reject(error) });
    await expect(evaluate(ROWS, engine)).rejects.toBe(error);
  });

  it('if an engine translates nothing, with the reason in the error', async () => {
    const error = new DragomanError('unauthenticated', 'the key is wrong');
    const rejecting = engineThat(() => ({ failure: '' }), { translate: () => Promise.reject(error) });
    await expect(evaluate(ROWS, rejecting)).rejects.toBe(error);
    await expect(
      evaluate(
        ROWS,
        engineThat(() => ({ failure: 'no idea' })),
      ),
    ).rejects.toMatchObject({
      code: 'engine_failed',
      message: 'no row was translated: no idea',
    });
  });

  it('if an engine was interrupted', async () => {
    const controller = new AbortController();
    const engine = engineThat((text) => {
      controller.abort();
      return { translation: upperCase(text) };
    });
    await expect(evaluate(ROWS, engine, { signal: controller.signal })).rejects.toMatchObject({
      code: 'interrupted',
    });
  });
});
