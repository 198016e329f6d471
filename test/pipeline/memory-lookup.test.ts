import { describe, expect, it, vi } from 'vitest';
import type { EngineRequest } from '../../src/engines/engine.ts';
import type { SegmentContext, Unit } from '../../src/pipeline/unit.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import { MemoryFake } from '../memory/memory-fake.ts';
import { adversary } from './adversary.ts';

const shouting = (): ReturnType<typeof adversary> =>
  adversary((text) => text.replace(/[^<>]+(?=<|$)/g, (words) => words.toUpperCase()));

const contextOf = (engine: SegmentContext['engine'], memory: MemoryFake): SegmentContext => ({
  engine,
  memory,
  source: 'en',
  target: 'de',
  signal: new AbortController().signal,
});

const unit = (value: string, key = value, category?: string): Unit => ({
  value,
  syntax: 'plain',
  context: { key: ['a', key], category },
});

describe('the translation memory in the pipeline', () => {
  it('is queried before the engine, including an engine with another name', async () => {
    const memory = new MemoryFake();
    const units = [unit('Save {name}'), unit('Close')];
    const first = await translateUnits(units, contextOf(shouting(), memory));
    expect(first).toEqual([
      { value: 'SAVE {name}', engine: 'adversary' },
      { value: 'CLOSE', engine: 'adversary' },
    ]);
    const other = { ...shouting(), id: 'other' };
    expect(await translateUnits(units, contextOf(other, memory))).toEqual([
      { value: 'SAVE {name}', memory: 'machine' },
      { value: 'CLOSE', memory: 'machine' },
    ]);
    expect(other.asked).toEqual([]);
  });

  it('matches messages across placeholder notations, but not with different placeholders', async () => {
    const memory = new MemoryFake();
    const icu: Unit = { value: 'Save {name}', syntax: 'icu' };
    await translateUnits([icu], contextOf(shouting(), memory));
    const engine = shouting();
    const outcomes = await translateUnits(
      [
        { value: 'Save {{name}}', syntax: 'i18next' },
        { value: 'Save %(name)s', syntax: 'c' },
        { value: 'Save {count}', syntax: 'icu' },
      ],
      contextOf(engine, memory),
    );
    expect(outcomes).toEqual([
      { value: 'SAVE {{name}}', memory: 'machine' },
      { value: 'SAVE %(name)s', memory: 'machine' },
      { value: 'SAVE {count}', engine: 'adversary' },
    ]);
  });

  it('distinguishes plural forms', async () => {
    const memory = new MemoryFake();
    await memory.store(
      ['few', 'many'].map((category) => ({
        segments: ['files'],
        placeholders: [],
        category,
        context: '',
        translations: [category],
        origin: 'human',
      })),
      { source: 'en', target: 'de' },
    );
    const engine = shouting();
    const units = [unit('files', 'k', 'many'), unit('files', 'k', 'few'), unit('files', 'k', 'other')];
    const outcomes = await translateUnits(units, contextOf(engine, memory));
    expect(outcomes.map((outcome) => 'value' in outcome && outcome.value)).toEqual(['many', 'few', 'FILES']);
  });

  it('returns only translations that verify in their new place', async () => {
    const memory = new MemoryFake();
    await memory.store(
      [
        {
          segments: ['Pay <x id="1"/>'],
          placeholders: ['sum'],
          category: '',
          context: '',
          translations: ['Zahle'],
          origin: 'human',
        },
      ],
      { source: 'en', target: 'de' },
    );
    const engine = shouting();
    expect(await translateUnits([unit('Pay {sum}')], contextOf(engine, memory))).toEqual([
      { value: 'PAY {sum}', engine: 'adversary' },
    ]);
  });

  it.each([
    'Zahle <x',
    'Zahle <x id="9"/> <x id="1"/>',
    '',
    '<x id="1"/>',
    '<x id="1">Zahle</x>',
    'Za\u0000hle <x id="1"/>',
  ])('is trusted no more than an engine: %j', async (translation) => {
    const memory = new MemoryFake();
    for (const [segment, placeholders] of [
      ['Pay <x id="1"/>', ['sum']],
      ['Pay', []],
    ] as const) {
      await memory.store(
        [
          {
            segments: [segment],
            placeholders,
            category: '',
            context: '',
            translations: [translation],
            origin: 'human',
          },
        ],
        { source: 'en', target: 'de' },
      );
    }
    expect(await translateUnits([unit('Pay {sum}'), unit('Pay')], contextOf(shouting(), memory))).toEqual([
      { value: 'PAY {sum}', engine: 'adversary' },
      { value: 'PAY', engine: 'adversary' },
    ]);
  });

  it('stores only verified translations', async () => {
    const memory = new MemoryFake();
    await translateUnits([unit('42'), unit('{x}')], contextOf(shouting(), memory));
    await translateUnits(
      [unit('Lost {x} again')],
      contextOf(
        adversary(() => ''),
        memory,
      ),
    );
    const pretender = { ...shouting(), isPseudo: true };
    await translateUnits([unit('Hello')], contextOf(pretender, memory));
    expect(memory.stored).toEqual([]);
    await translateUnits([unit('Hello')], contextOf(shouting(), memory));
    expect(await translateUnits([unit('Hello')], contextOf(pretender, memory))).toEqual([
      { value: 'HELLO', engine: 'adversary' },
    ]);
    expect(memory.stored).toHaveLength(1);
  });

  it('contains the translations that were finished before credits ran out', async () => {
    const memory = new MemoryFake();
    const engine = shouting();
    const failing = {
      ...engine,
      batch: { texts: 1, characters: 100 },
      translate: async (request: EngineRequest, signal: AbortSignal) =>
        request.texts.includes('Two') ? [{ failure: 'no credits' }] : engine.translate(request, signal),
    };
    await translateUnits([unit('One'), unit('Two')], contextOf(failing, memory));
    expect(memory.stored.map(({ segments }) => segments)).toEqual([['One']]);
  });
});

describe('hints', () => {
  it('give an engine that uses them keys, notes, neighbours and similar translations', async () => {
    const memory = new MemoryFake();
    memory.similar = [{ source: 'Open file', translation: 'Datei öffnen', similarity: 0.8 }];
    const requests: EngineRequest[] = [];
    const engine = shouting();
    const curious = {
      ...engine,
      uses: { hints: true, similar: true },
      translate: (request: EngineRequest, signal: AbortSignal) => {
        requests.push(request);
        return engine.translate(request, signal);
      },
    };
    const units: Unit[] = [
      {
        value: 'Open files',
        syntax: 'plain',
        context: { key: ['menu', 'open'], comment: 'verb', neighbours: ['New', 'Close'] },
      },
      { value: 'Open files', syntax: 'plain', context: { key: ['title'], comment: 'verb' } },
      { value: 'Bare', syntax: 'plain' },
    ];
    const context = { ...contextOf(curious, memory), formality: new Map([['*', 'formal' as const]]) };
    await translateUnits(units, context);
    expect(requests).toEqual([
      {
        source: 'en',
        target: 'de',
        texts: ['Open files', 'Bare'],
        hints: [
          {
            keys: ['menu.open', 'title'],
            comments: ['verb'],
            neighbours: ['New', 'Close'],
            similar: memory.similar,
          },
          { keys: [], comments: [], neighbours: undefined, similar: memory.similar },
        ],
        formality: 'formal',
      },
    ]);
  });

  it('omit similar translations for an engine that does not use them, without a query', async () => {
    const memory = new MemoryFake();
    memory.findSimilar = () => Promise.reject(new Error('the engine does not use similar translations'));
    const requests: EngineRequest[] = [];
    const engine = shouting();
    const reserved = {
      ...engine,
      uses: { hints: true },
      translate: (request: EngineRequest, signal: AbortSignal) => {
        requests.push(request);
        return engine.translate(request, signal);
      },
    };
    const units: Unit[] = [
      { value: 'Open', syntax: 'plain', context: { key: ['open'], comment: 'verb', neighbours: [] } },
    ];
    await translateUnits(units, contextOf(reserved, memory));
    expect(requests[0]?.hints).toEqual([{ keys: ['open'], comments: ['verb'], neighbours: [], similar: [] }]);
  });

  it('omit similar translations in a first run, which queries the memory once per batch', async () => {
    const memory = new MemoryFake();
    const has = vi.spyOn(memory, 'hasSimilar');
    const findSimilar = vi.spyOn(memory, 'findSimilar');
    const engine = {
      ...shouting(),
      uses: { hints: true, similar: true },
      batch: { texts: 10, characters: 10_000 },
    };
    const units = Array.from({ length: 30 }, (_, i) => unit(`Text ${i}`));
    await translateUnits(units, { ...contextOf(engine, memory), concurrency: 1 });
    expect([has.mock.calls.length, findSimilar.mock.calls.length]).toEqual([3, 0]);
    await translateUnits([unit('Text')], contextOf(engine, memory));
    expect(findSimilar).toHaveBeenCalledOnce();
  });

  it('accompany the sent text, even if it contains glossary names', async () => {
    const requests: EngineRequest[] = [];
    const engine = shouting();
    const curious = {
      ...engine,
      uses: { hints: true },
      translate: (request: EngineRequest, signal: AbortSignal) => {
        requests.push(request);
        return engine.translate(request, signal);
      },
    };
    const name = { translations: new Map(), doNotTranslate: true, caseSensitive: true };
    const glossary = { terms: ['Foo', 'Bar'].map((term) => ({ term, ...name })) };
    const units = ['Close', 'Open Foo', 'Open Bar'].map((value): Unit => ({
      value,
      syntax: 'plain',
      context: { key: [value] },
    }));
    const outcomes = await translateUnits(units, { ...contextOf(curious, new MemoryFake()), glossary });
    expect(outcomes.map((outcome) => 'value' in outcome && outcome.value)).toEqual([
      'CLOSE',
      'OPEN Foo',
      'OPEN Bar',
    ]);
    expect(requests.map(({ texts, hints }) => texts.map((text, i) => [text, hints?.[i]?.keys]))).toEqual([
      [
        ['Close', ['Close']],
        ['Open <x id="1"/>', ['Open Foo', 'Open Bar']],
      ],
    ]);
  });

  it('are looked up when a batch is sent, and the lookup can be interrupted', async () => {
    const memory = new MemoryFake();
    memory.similar = [{ source: 'Text', translation: 'Text', similarity: 0.8 }];
    let looked = 0;
    const findSimilar = memory.findSimilar.bind(memory);
    const interruption = new AbortController();
    memory.findSimilar = (...query) => {
      looked++;
      return findSimilar(...query);
    };
    const engine = shouting();
    const asked: number[] = [];
    const curious = {
      ...engine,
      uses: { hints: true, similar: true },
      batch: { texts: 10, characters: 10_000 },
      translate: (request: EngineRequest, signal: AbortSignal) => {
        asked.push(looked);
        // Like a system signal: between two turns of the event loop.
        setTimeout(() => interruption.abort(), 0);
        return engine.translate(request, signal);
      },
    };
    const units = Array.from({ length: 5_000 }, (_, i) => unit(`Text ${'x'.repeat(1 + (i % 50))}${i}`));
    const context = { ...contextOf(curious, memory), signal: interruption.signal, concurrency: 1 };
    const outcomes = await translateUnits(units, context);
    expect(asked[0]).toBe(10);
    expect(looked).toBeLessThan(5_000);
    expect(outcomes.at(-1)).toMatchObject({ kind: 'interrupted' });
    expect(outcomes[0]).toMatchObject({ engine: 'adversary' });
  });
});
