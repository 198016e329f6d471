import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import { Budget } from '../../src/client/budget.ts';
import { createServiceEngine, creditsOfSegment } from '../../src/client/service-engine.ts';
import { toWire } from '../../src/client/wire-text.ts';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import { reconcile } from '../../src/text/reconcile.ts';
import { encodeWords, tokenize, writeTagged, type Token } from '../../src/text/tagged.ts';
import { engineContract } from '../engines/contract.ts';
import { CountingService } from './counting-service.ts';

const never = new AbortController().signal;

/** Pieces of words that could be misread on the wire. */
const PIECES = [
  'Hello ',
  'world',
  '{1}',
  '{2}',
  '{ 1 }',
  '｛１｝',
  '{',
  '}',
  '<g1>',
  '</g1>',
  '< G2 >',
  '<',
  '>',
  '&lt;g1&gt;',
  '&amp;',
  '&',
  '%',
  '$',
  "l'eau ",
  '100% ',
  '\n',
  '{name}',
  '<b>',
  'https://example.org/',
  '😀',
];
const words = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 6 });

/** Tagged text with placeholders and pairs, nested, numbered in any order. */
const tagged = fc
  .array(fc.tuple(fc.constantFrom('words', 'placeholder', 'open', 'close'), words), { maxLength: 10 })
  .map((shape) => {
    const tokens: Token[] = [];
    const open: number[] = [];
    let next = 1;
    for (const [type, pieces] of shape) {
      const text = pieces.join('').toWellFormed();
      if (type === 'words' && text !== '') tokens.push({ type: 'words', text });
      else if (type === 'placeholder') tokens.push({ type: 'placeholder', id: next++ });
      else if (type === 'open') {
        open.push(next);
        tokens.push({ type: 'open', id: next++ });
      } else {
        const id = open.pop();
        if (id !== undefined) tokens.push({ type: 'close', id });
      }
    }
    for (const id of open.reverse()) tokens.push({ type: 'close', id });
    return writeTagged(tokens);
  });

const outcome = async (engine: Engine, text: string): Promise<EngineOutcome> => {
  const [found] = await engine.translate({ source: 'en', target: 'fr', texts: [text] }, never);
  return found!;
};

engineContract('the service engine', () =>
  createServiceEngine(createLocalService({ engine: createPseudoEngine() })),
);

describe('the wire form of segments', () => {
  it('reads back as the original', () => {
    fc.assert(
      fc.property(tagged, (text) => {
        const wire = toWire(text);
        expect(wire?.read(wire.text)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('is plain text without placeholders', () => {
    expect(toWire('Fish &amp; &lt;Chips&gt;')?.text).toBe('Fish & <Chips>');
    expect(toWire('<x id="1">Read</x> <x id="2"/>')?.text).toBe('<g1>Read</g1> {2}');
    expect(toWire('a {1} <x id="1"/> &lt;g2&gt;')?.text).toBe('a {1} {3} <g2>');
  });

  it.each([
    ['spaces', '< g1 >Lire</ g1 > { 2 }'],
    ['upper case', '<G1>Lire</G1> {2}'],
    ['full width', '＜g1＞Lire＜／g1＞ ｛２｝'],
    ['HTML escapes', '&lt;g1&gt;Lire&lt;/g1&gt; {2}'],
  ])('is understood with %s', (_, answer) => {
    expect(toWire('<x id="1">Read</x> <x id="2"/>')?.read(answer)).toBe('<x id="1">Lire</x> <x id="2"/>');
  });

  it.each([
    ['crossing pairs', '<g1>a<g2>b</g1>c</g2>'],
    ['a pair that is lost', '<g1>a b c'],
    ['a pair twice', '<g1>a</g1><g2>b</g2><g1>c</g1>'],
    ['another number', '<g1>a</g1><g3>b</g3>'],
  ])('does not accept %s', (_, answer) => {
    const source = '<x id="1">a</x><x id="2">b</x>';
    expect(reconcile(source, toWire(source)!.read(answer)).ok).toBe(false);
  });

  it('passes through a server of the specification, or is refused by it', async () => {
    const echo: Engine = {
      ...createPseudoEngine(),
      translate: ({ texts }) => Promise.resolve(texts.map((translation) => ({ translation }))),
    };
    const engine = createServiceEngine(createLocalService({ engine: echo }));
    await fc.assert(
      fc.asyncProperty(tagged, async (text) => {
        const found = await outcome(engine, text);
        if ('failure' in found) expect(found.failure).toMatch(/malformed|characters/);
        else expect(found.translation).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps its placeholders through a server that changes the words', async () => {
    const engine = createServiceEngine(createLocalService({ engine: createPseudoEngine() }));
    await fc.assert(
      fc.asyncProperty(tagged, async (text) => {
        const found = await outcome(engine, text);
        if ('failure' in found) return;
        const shape = (value: string) => tokenize(value)?.filter(({ type }) => type !== 'words');
        expect(shape(found.translation)).toEqual(shape(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the service engine', () => {
  it('names languages as the service does', async () => {
    const service = new CountingService();
    const engine = createServiceEngine(service);
    for (const target of ['fr-CA', 'zh-CN', 'de'])
      await engine.translate({ source: 'en-US', target, texts: ['Save'] }, never);
    expect(service.requests.map(({ source, target }) => `${source} ${target}`)).toEqual([
      'en fr',
      'en zh-Hans',
      'en de',
    ]);
    expect(service.listings).toBe(1);
    expect(await engine.supports('en', 'fi')).toBe(false);
    await expect(
      engine.translate({ source: 'en', target: 'fi', texts: ['Save'] }, never),
    ).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it.each([
    ['en-US', 'en-GB', false],
    ['fr', 'fr-CA', false],
    ['zh-Hans', 'zh', false],
  ])('does not send %s as %s if the service supports one of them', async (source, target, does) => {
    expect(await createServiceEngine(new CountingService()).supports(source, target)).toBe(does);
  });

  it('requests the languages again after a failure', async () => {
    const service = new CountingService();
    const list = service.supportedLanguages.bind(service);
    service.supportedLanguages = () => Promise.reject(new DragomanError('unreachable', 'no connection'));
    const engine = createServiceEngine(service);
    await expect(outcome(engine, 'Save')).rejects.toMatchObject({ code: 'unreachable' });
    service.supportedLanguages = list;
    expect(await outcome(engine, 'Save')).toEqual({ translation: 'fr:Save' });
  });

  it('sends at most 100 texts in a request, and none without words', async () => {
    const service = new CountingService();
    const texts = Array.from({ length: 250 }, (_, i) => `Text ${i}`);
    const engine = createServiceEngine(service);
    const outcomes = await engine.translate({ source: 'en', target: 'fr', texts: [...texts, '12'] }, never);
    expect(service.requests.map((request) => request.texts.length)).toEqual([100, 100, 50]);
    expect(outcomes[249]).toEqual({ translation: 'fr:Text 249' });
    expect(outcomes[250]).toEqual({ translation: '12' });
    expect(service.charged).toBe(250);
  });

  it('sends a long text in parts, and reports their price', async () => {
    const service = new CountingService();
    const long = `${'The house is red. '.repeat(700).trim()} <x id="1"/>`;
    const found = await outcome(createServiceEngine(service), long);
    expect(service.charged).toBe(creditsOfSegment(long));
    expect(service.charged).toBe(3);
    for (const { texts } of service.requests)
      for (const text of texts) expect(text.length).toBeLessThanOrEqual(5000);
    expect('translation' in found && found.translation.replaceAll('fr:', '')).toBe(long);
  });

  it('does not send a text that is too long and cannot be divided', async () => {
    const service = new CountingService();
    const long = encodeWords(`{n, plural, one {${'word '.repeat(2000)}`);
    expect(await outcome(createServiceEngine(service), long)).toMatchObject({ failure: /5,000/ });
    expect(creditsOfSegment(long)).toBe(0);
    expect(service.requests).toEqual([]);
  });

  it('does not send half a character, because the service would refuse the whole request', async () => {
    const service = new CountingService();
    const texts = ['half \ud83d of one', 'Save'];
    const engine = createServiceEngine(service);
    expect(await engine.translate({ source: 'en', target: 'fr', texts }, never)).toEqual([
      { failure: 'the text is not well-formed' },
      { translation: 'fr:Save' },
    ]);
    expect(service.texts).toEqual(['fr Save']);
  });

  it('assigns answers to their texts, in any order', async () => {
    const service = new CountingService();
    const inOrder = service.translateBatch;
    service.translateBatch = async (request, options) => {
      const response = await inOrder(request, options);
      return { ...response, translations: [...response.translations].reverse() };
    };
    const engine = createServiceEngine(service);
    expect(await engine.translate({ source: 'en', target: 'fr', texts: ['One', 'Two'] }, never)).toEqual([
      { translation: 'fr:One' },
      { translation: 'fr:Two' },
    ]);
  });

  it.each<ErrorCode>(['answer_lost', 'service_failed', 'contract_violation'])(
    'does not repeat a request that ended with %s',
    async (code) => {
      const service = new CountingService();
      service.after = ({ texts }) => {
        if (texts.includes('Save')) throw new DragomanError(code, 'gone');
      };
      const budget = new Budget(10);
      const engine = createServiceEngine(service, { budget });
      expect(await outcome(engine, 'Save')).toMatchObject({ failure: 'gone', error: { code } });
      expect(await outcome(engine, 'Save')).toMatchObject({ failure: 'gone', error: { code } });
      expect(await outcome(engine, 'Open')).toEqual({ translation: 'fr:Open' });
      expect(service.texts).toEqual(['fr Save', 'fr Open']);
      expect(budget.spent).toBe(1);
      expect(budget.take(10)).toBe(8);
    },
  );

  it('repeats lost texts if other clients may request them', async () => {
    const service = new CountingService();
    const controller = new AbortController();
    service.before = () => {
      service.before = () => undefined;
      controller.abort();
      return new Promise((resolve) => setImmediate(resolve));
    };
    service.after = () => {
      service.after = () => undefined;
      throw new DragomanError('interrupted', 'the client is gone');
    };
    const engine = createServiceEngine(service, { resends: true });
    const request = { source: 'en', target: 'fr', texts: ['Save'] };
    await expect(engine.translate(request, controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
    service.after = () => {
      service.after = () => undefined;
      throw new DragomanError('answer_lost', 'gone');
    };
    expect(await outcome(engine, 'Save')).toMatchObject({ error: { code: 'answer_lost' } });
    expect(await outcome(engine, 'Save')).toEqual({ translation: 'fr:Save' });
    expect(service.texts).toEqual(['fr Save', 'fr Save', 'fr Save']);
  });

  it('keeps the request for languages when one of its waiters leaves', async () => {
    const service = new CountingService();
    const listing = service.supportedLanguages;
    let list: () => void = () => undefined;
    const listed = new Promise<void>((resolve) => (list = resolve));
    service.supportedLanguages = async ({ signal }) => {
      await listed;
      if (signal.aborted) throw new DragomanError('interrupted', 'the request was ended');
      return listing({ signal });
    };
    const engine = createServiceEngine(service);
    const controller = new AbortController();
    const request = { source: 'en', target: 'fr', texts: ['Save'] };
    const gone = engine.translate(request, controller.signal);
    const stays = engine.translate(request, never);
    const asks = engine.supports('en', 'fr');
    controller.abort();
    await expect(gone).rejects.toMatchObject({ code: 'interrupted' });
    list();
    expect(await stays).toEqual([{ translation: 'fr:Save' }]);
    expect(await asks).toBe(true);
    expect(service.listings).toBe(1);
  });

  it('ends the request for languages when closed, and repeats it after a failure', async () => {
    const service = new CountingService();
    const listing = service.supportedLanguages;
    service.supportedLanguages = () => Promise.reject(new DragomanError('unreachable', 'nobody'));
    const engine = createServiceEngine(service);
    await expect(engine.supports('en', 'fr')).rejects.toMatchObject({ code: 'unreachable' });
    service.supportedLanguages = listing;
    expect(await engine.supports('en', 'fr')).toBe(true);

    const hung = new CountingService();
    hung.supportedLanguages = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new DragomanError('interrupted', 'ended')));
      });
    const other = createServiceEngine(hung);
    const asked = other.supports('en', 'fr');
    await other.close();
    await expect(asked).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('reports a hanging service in time, and can be interrupted before that', async () => {
    const service = new CountingService();
    let ended = 0;
    service.health = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ended++;
          reject(new DragomanError('interrupted', 'ended'));
        });
      });
    const detail = 'the service gave no answer within 0.01 seconds';
    expect(await createServiceEngine(service, { statusMs: 10 }).status()).toMatchObject({
      ready: false,
      detail,
    });
    const controller = new AbortController();
    const asked = createServiceEngine(service).status(controller.signal);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'interrupted' });
    expect(ended).toBe(2);
  });

  it('does not count requests that were certainly not charged', async () => {
    const service = new CountingService();
    service.broken.add('hard');
    const budget = new Budget(10);
    const engine = createServiceEngine(service, { budget });
    expect(await outcome(engine, 'hard')).toEqual({ failure: 'too hard' });
    service.before = () => {
      throw new DragomanError('unreachable', 'no connection');
    };
    expect(await outcome(engine, 'Open')).toMatchObject({ error: { code: 'unreachable' } });
    expect(budget.spent).toBe(0);
  });

  it('spends its budget to the last credit and no further', async () => {
    const service = new CountingService();
    const budget = new Budget(130);
    const engine = createServiceEngine(service, { budget });
    const texts = Array.from({ length: 250 }, (_, i) => `Text ${i}`);
    const outcomes = await engine.translate({ source: 'en', target: 'fr', texts }, never);
    expect(service.charged).toBe(130);
    expect(outcomes.filter((found) => 'translation' in found)).toHaveLength(130);
    expect(outcomes[130]).toMatchObject({ error: { code: 'insufficient_credits' } });
    expect(outcomes[249]).toMatchObject({ error: { code: 'insufficient_credits' } });
  });

  it('waits briefly for a pending answer when interrupted', async () => {
    const service = new CountingService();
    const controller = new AbortController();
    service.before = () => {
      controller.abort();
      return new Promise((resolve) => setImmediate(resolve));
    };
    const request = { source: 'en', target: 'fr', texts: ['Save'] };
    const found = await createServiceEngine(service).translate(request, controller.signal);
    expect(found).toEqual([{ translation: 'fr:Save' }]);

    const stuck = new CountingService();
    const again = new AbortController();
    stuck.translateBatch = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DragomanError('interrupted', 'stopped')));
        again.abort();
      });
    const engine = createServiceEngine(stuck, { graceMs: 5 });
    await expect(engine.translate(request, again.signal)).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('refuses an answer with a different number of texts', async () => {
    const service = new CountingService();
    service.translateBatch = () => Promise.resolve({ translations: [], total: 1, successful: 0, failed: 0 });
    expect(await outcome(createServiceEngine(service), 'Save')).toMatchObject({
      error: { code: 'contract_violation' },
    });
  });
});
