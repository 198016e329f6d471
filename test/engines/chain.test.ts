import { describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import { readChains, type ChainRules } from '../../src/engines/chain-rules.ts';
import { createChainEngine, type TroubleListener } from '../../src/engines/chain.ts';
import type { Engine, EngineOutcome, EngineRequest } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import { engineContract } from './contract.ts';

const never = new AbortController().signal;

type Answer = (text: string) => EngineOutcome;

interface Scripted extends Engine {
  /** The texts of each call. */
  readonly calls: (readonly string[])[];
  answer: Answer;
  closed: boolean;
}

function scripted(id: string, answer: Answer = (text) => ({ translation: `${id} ${text}` })): Scripted {
  return {
    id,
    calls: [],
    answer,
    closed: false,
    status: () => Promise.resolve({ id, ready: true, detail: id, pairs: [{ source: 'en', target: 'de' }] }),
    supports: (_, target) => Promise.resolve(target !== 'tlh'),
    translate({ texts }) {
      this.calls.push(texts);
      return Promise.resolve().then(() => texts.map((text) => this.answer(text)));
    },
    close() {
      this.closed = true;
      return Promise.resolve();
    },
  };
}

const fails = (code: ErrorCode): Answer => {
  return () => {
    throw new DragomanError(code, `no: ${code}`);
  };
};

async function chain(
  engines: readonly Engine[],
  rules: ChainRules = { '*': engines.map(({ id }) => id) },
  clock = { now: () => 0 },
  onTrouble?: TroubleListener,
): Promise<Engine> {
  const byId = new Map(engines.map((engine) => [engine.id, engine]));
  const open = (id: string): Promise<Engine> => Promise.resolve(byId.get(id) ?? scripted(id));
  return createChainEngine({ rules, open, clock, onTrouble });
}

function ask(engine: Engine, texts: readonly string[], target = 'de'): Promise<readonly EngineOutcome[]> {
  return engine.translate({ source: 'en', target, texts }, never);
}

engineContract('chain', () => chain([scripted('broken', fails('service_failed')), createPseudoEngine()]));

describe('a chain', () => {
  it('sends the next engine the texts that the one before could not translate, and reports which engine translated them', async () => {
    const a = scripted('a', (text) => (text === 'two' ? { failure: 'hm' } : { translation: `A ${text}` }));
    const b = scripted('b');
    const c = scripted('c');
    expect(await ask(await chain([a, b, c]), ['one', 'two', 'three'])).toEqual([
      { translation: 'A one', engine: 'a' },
      { translation: 'b two', engine: 'b' },
      { translation: 'A three', engine: 'a' },
    ]);
    expect(b.calls).toEqual([['two']]);
    expect(c.calls).toEqual([]);
  });

  it.each<ErrorCode>([
    'answer_lost',
    'service_failed',
    'engine_failed',
    'contract_violation',
    'rate_limited',
  ])('continues after %s of a whole call', async (code) => {
    const engine = await chain([scripted('a', fails(code)), scripted('b')]);
    expect(await ask(engine, ['one'])).toEqual([{ translation: 'b one', engine: 'b' }]);
  });

  it('prefers the next engine for a translation that lost a placeholder, and otherwise leaves it for repair', async () => {
    const lossy = scripted('lossy', () => ({ translation: 'weg' }));
    const texts = ['Hello <x id="1"/>'];
    expect(await ask(await chain([lossy, scripted('b')]), texts)).toEqual([
      { translation: 'b Hello <x id="1"/>', engine: 'b' },
    ]);
    expect(await ask(await chain([lossy, scripted('b', fails('engine_failed'))]), texts)).toEqual([
      { translation: 'weg', engine: 'lossy' },
    ]);
    const units = [{ value: 'Hello {name}', syntax: 'plain' as const }];
    const context = { engine: await chain([lossy]), source: 'en', target: 'de', signal: never };
    expect(await translateUnits(units, context)).toEqual([{ value: 'weg {name}', engine: 'lossy' }]);
  });

  it('sends only values that do not verify to the next engine', async () => {
    // `{evil}` is an argument that the source lacks.
    const a = scripted('a', (text) => ({ translation: text.includes('bad') ? `${text} {evil}` : text }));
    const b = scripted('b');
    const c = scripted('c');
    const engine = await chain([a, b, c]);
    const units = ['a good {x}', 'a bad {x}'].map((value) => ({ value, syntax: 'plain' as const }));
    const context = { engine, source: 'en', target: 'de', signal: never };
    expect(await translateUnits(units, context)).toEqual([
      { value: 'a good {x}', engine: 'a' },
      { value: 'b a bad {x}', engine: 'b' },
    ]);
    expect(b.calls).toEqual([['a bad <x id="1"/>']]);
    expect(c.calls).toEqual([]);
    await engine.next?.close();
    expect(a.closed).toBe(false);
  });

  it('names the model of each of its engines', async () => {
    const known = { ...scripted('b'), modelFor: () => Promise.resolve('b 1.0') };
    const engine = await chain([scripted('a'), known]);
    const pair = { source: 'en', target: 'de' };
    expect(await engine.modelFor?.('b', pair)).toBe('b 1.0');
    expect(await engine.next?.modelFor?.('b', pair)).toBe('b 1.0');
    expect(await engine.modelFor?.('a', pair)).toBeUndefined();
  });

  it('has a next engine only for pairs with several engines', async () => {
    const engine = await chain([scripted('a'), scripted('b')], { 'en-de': ['a'], '*': ['b', 'a'] });
    expect(await engine.next?.supports('en', 'de')).toBe(false);
    expect(await engine.next?.supports('en', 'fr')).toBe(true);
    expect(engine.next?.next).toBeUndefined();
    const bad = scripted('a', (text) => ({ translation: `${text} {evil}` }));
    const context = { engine: await chain([bad], { 'en-de': ['a'], '*': ['b', 'a'] }), target: 'de' };
    const units = [{ value: 'One {x}', syntax: 'plain' as const }];
    expect(await translateUnits(units, { ...context, source: 'en', signal: never })).toMatchObject([
      { kind: 'unverified' },
    ]);
  });

  it('skips an exhausted engine for a minute', async () => {
    let now = 0;
    const a = scripted('a', fails('insufficient_credits'));
    const troubles: string[] = [];
    const onTrouble: TroubleListener = (id, { code }) => troubles.push(`${id}: ${code}`);
    const engine = await chain([a, scripted('b')], undefined, { now: () => now }, onTrouble);
    await Promise.all([ask(engine, ['one']), ask(engine, ['one'])]);
    await ask(engine, ['two']);
    expect(a.calls).toHaveLength(2);
    expect(troubles).toEqual(['a: insufficient_credits']);
    now = 60_001;
    a.answer = (text) => ({ translation: `A ${text}` });
    expect(await ask(engine, ['three'])).toEqual([{ translation: 'A three', engine: 'a' }]);
  });

  it('skips an engine that failed three times in a row, but not one that failed twice', async () => {
    const a = scripted('a', fails('engine_failed'));
    const engine = await chain([a, scripted('b')]);
    const answer = a.answer;
    for (const text of ['1', '2']) await ask(engine, [text]);
    a.answer = (text) => ({ translation: text });
    await ask(engine, ['3']);
    a.answer = answer;
    for (const text of ['4', '5', '6', '7']) await ask(engine, [text]);
    expect(a.calls).toHaveLength(6);
  });

  it('reports the error of each engine when all fail', async () => {
    const a = scripted('a', fails('insufficient_credits'));
    const b = scripted('b', () => ({ failure: 'unknown word' }));
    expect(await ask(await chain([a, b]), ['one'])).toEqual([
      { failure: 'a: no: insufficient_credits; b: unknown word' },
    ]);
  });

  it('stops with an error only if every engine has one', async () => {
    const a = scripted('a', fails('insufficient_credits'));
    const spent = await ask(await chain([a, scripted('b', fails('unauthenticated'))]), ['one']);
    expect(spent).toMatchObject([{ error: { code: 'insufficient_credits' } }]);
    // A server's problem may not affect the next text.
    const trouble = await ask(await chain([a, scripted('b', fails('service_failed'))]), ['one']);
    expect(trouble).toMatchObject([{ error: { code: 'service_failed' } }]);
  });

  it('skips engines that do not support the pair, and reports pairs that none supports', async () => {
    const deaf = { ...scripted('deaf'), supports: () => Promise.resolve(false) };
    expect(await ask(await chain([deaf, scripted('b')]), ['one'])).toEqual([
      { translation: 'b one', engine: 'b' },
    ]);
    const engine = await chain([deaf]);
    expect(await engine.supports('en', 'de')).toBe(false);
    await expect(ask(engine, ['one'])).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('supports exactly the pairs of its engines', async () => {
    const lost = {
      ...scripted('lost'),
      supports: () => Promise.reject(new DragomanError('unreachable', 'x')),
    };
    expect(await (await chain([lost, scripted('b')])).supports('en', 'de')).toBe(true);
    await expect((await chain([lost])).supports('en', 'de')).rejects.toMatchObject({ code: 'unreachable' });
    expect(await ask(await chain([lost, scripted('b')]), ['one'])).toEqual([
      { translation: 'b one', engine: 'b' },
    ]);
  });

  it('stops immediately when it is interrupted', async () => {
    const b = scripted('b');
    const engine = await chain([scripted('a', fails('interrupted')), b]);
    await expect(ask(engine, ['one'])).rejects.toMatchObject({ code: 'interrupted' });
    expect(b.calls).toEqual([]);
  });

  it('can be interrupted while an engine determines its pairs', async () => {
    const hung: Engine = { ...scripted('hung'), supports: () => new Promise(() => undefined) };
    const b = scripted('b');
    const controller = new AbortController();
    const request = { source: 'en', target: 'de', texts: ['one'] };
    const asked = (await chain([hung, b])).translate(request, controller.signal);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'interrupted' });
    expect(b.calls).toEqual([]);
  });

  it('keeps answers when interrupted before the next engine is done', async () => {
    const controller = new AbortController();
    const b = scripted('b');
    const a = scripted('a', (text) => {
      controller.abort();
      return text === 'one' ? { translation: 'A one' } : { failure: 'hm' };
    });
    const request = { source: 'en', target: 'de', texts: ['one', 'two'] };
    expect(await (await chain([a, b])).translate(request, controller.signal)).toMatchObject([
      { translation: 'A one', engine: 'a' },
      { error: { code: 'interrupted' } },
    ]);
    expect(b.calls).toEqual([]);
  });

  it('reports the engine that one of its engines chose', async () => {
    const auto = scripted('auto', (text) => ({ translation: text, engine: 'apertium' }));
    expect(await ask(await chain([auto]), ['one'])).toEqual([{ translation: 'one', engine: 'apertium' }]);
  });

  it('closes all engines, even if one cannot be opened', async () => {
    const [a, b] = [scripted('a'), scripted('b')];
    await (await chain([a, b])).close();
    expect([a.closed, b.closed]).toEqual([true, true]);
    const c = scripted('c');
    const open = (id: string): Promise<Engine> =>
      id === 'c' ? Promise.resolve(c) : Promise.reject(new DragomanError('configuration', 'no key'));
    await expect(createChainEngine({ rules: { '*': ['c', 'd'] }, open })).rejects.toMatchObject({
      code: 'configuration',
    });
    expect(c.closed).toBe(true);
  });

  it('passes each engine the parts that it uses, for its own texts', async () => {
    const requests: Record<string, EngineRequest> = {};
    const using = (id: string, uses: NonNullable<Engine['uses']>, answers: string): Engine => ({
      ...scripted(id),
      uses,
      translate(request) {
        requests[id] = request;
        return Promise.resolve(
          request.texts.map((text) =>
            answers.includes(text) ? { translation: `${id} ${text}` } : { failure: 'hm' },
          ),
        );
      },
    });
    const engine = await chain([
      using('none', {}, 'b'),
      using('hints', { hints: true }, 'a'),
      using('terms', { terms: true }, ''),
      using('both', { hints: true, similar: true, terms: true }, 'cd'),
    ]);
    expect(engine.uses).toEqual({ hints: true, similar: true, terms: true });
    const hints = ['A', undefined, 'C', 'D'].map((key) => (key === undefined ? key : { keys: [key] }));
    const terms = [{ term: 'a', translation: 'b' }];
    const common = { source: 'en', target: 'de', formality: 'formal' } as const;
    await engine.translate({ ...common, texts: ['a', 'b', 'c', 'd'], hints, terms }, never);
    expect(requests).toEqual({
      none: { ...common, texts: ['a', 'b', 'c', 'd'] },
      hints: { ...common, texts: ['a', 'c', 'd'], hints: [hints[0], hints[2], hints[3]] },
      terms: { ...common, texts: ['c', 'd'], terms },
      both: { ...common, texts: ['c', 'd'], hints: [hints[2], hints[3]], terms },
    });
  });

  it('uses the request parts that any of its engines uses, and is a pseudo engine if one of them is', async () => {
    const plain = await chain([scripted('a'), scripted('b')]);
    expect([plain.uses, plain.isPseudo]).toEqual([{ hints: false, similar: false, terms: false }, false]);
    const mixed = await chain([createPseudoEngine(), { ...scripted('b'), uses: { terms: true } }]);
    expect([mixed.uses, mixed.isPseudo]).toEqual([{ hints: false, similar: false, terms: true }, true]);
    // The rest of the chain does not include the pseudo engine.
    expect([mixed.next?.uses, mixed.next?.isPseudo]).toEqual([
      { hints: false, similar: false, terms: true },
      false,
    ]);
  });

  it('has the lowest concurrency of its engines', async () => {
    const a = { ...scripted('a'), batch: { texts: 50, characters: 100 } };
    const b = { ...scripted('b'), batch: { texts: 20, characters: 1000 } };
    expect((await chain([a, b, scripted('c')])).batch).toEqual({ texts: 20, characters: 100 });
  });
});

describe('the rules of a chain', () => {
  const rules = readChains({
    'en-de': ['a'],
    'en-pt-BR': ['b'],
    'pt-BR>en': ['c'],
    'en-*': ['d'],
    '*-fr': ['e'],
    '*': ['f', 'a'],
  });

  it.each([
    ['en', 'de', ['a']],
    ['en', 'de-AT', ['a']],
    ['en-GB', 'de', ['a']],
    ['en', 'pt-BR', ['b']],
    ['en', 'pt', ['d']],
    ['pt-BR', 'en', ['c']],
    ['en', 'fr', ['d']],
    ['it', 'fr-CA', ['e']],
    ['it', 'de', ['f', 'a']],
  ])('choose for %s to %s', (source, target, engines) => {
    expect(rules.enginesFor(source, target)).toEqual(engines);
  });

  it('name every engine once, and the chain consistently', () => {
    expect(rules.engines).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(readChains({ '*': ['a', 'b'] }).name).toBe('a,b');
    expect(readChains({ 'de-en': ['a'], '*': ['b'] }).name).toBe(
      readChains({ '*': ['b'], 'de-en': ['a'] }).name,
    );
    expect(readChains({ '*': ['a'] }).name).not.toBe(readChains({ '*': ['b'] }).name);
    expect(readChains({ 'it-de': ['a'] }).enginesFor('de', 'it')).toEqual([]);
  });

  it.each([{ en: ['a'] }, { 'en-xyzzy': ['a'] }, { '': ['a'] }, { '*': [] }, { '*': ['a', 'a'] }])(
    'refuse %j',
    (wrong) => {
      expect(() => readChains(wrong)).toThrow(expect.objectContaining({ code: 'configuration' }));
    },
  );
});
