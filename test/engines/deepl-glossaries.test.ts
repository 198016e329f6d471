import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DragomanError } from '../../src/base/errors.ts';
import { createDeepLEngine } from '../../src/engines/deepl/deepl.ts';
import type { Engine, EngineOutcome, EngineRequest, RequiredTerm } from '../../src/engines/engine.ts';
import { createEngine } from '../../src/engines/registry.ts';
import { FakeClock } from '../client/fake-clock.ts';
import { DEEPL_KEY, startDeepL, type DeepLServer } from './servers/deepl.ts';
import type { VendorRequest } from './servers/vendor-server.ts';

const HOUR_MS = 3_600_000;
const never = new AbortController().signal;
let server: DeepLServer;
let troubles: DragomanError[];
let opened: Engine[];
beforeEach(async () => {
  server = await startDeepL();
  troubles = [];
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((engine) => engine.close()));
  await server.close();
});

class Clock extends FakeClock {
  offset = 0;
  override now(): number {
    return super.now() + this.offset;
  }
}

function open(clock = new Clock()): Engine {
  const env = { DEEPL_API_KEY: DEEPL_KEY, DEEPL_BASE_URL: server.url };
  server.now = () => clock.now();
  const engine = createDeepLEngine({ env, clock, onWithoutTerms: (error) => troubles.push(error) });
  opened.push(engine);
  return engine;
}

const HOUSE: RequiredTerm = { term: 'house', translation: 'hogar' };
const FILE: RequiredTerm = { term: 'file', translation: 'fichero', note: 'on a disk' };
const USER: RequiredTerm = { term: 'user', translation: 'persona' };

function ask(
  engine: Engine,
  text: string,
  terms: readonly RequiredTerm[],
  rest: Partial<EngineRequest> = {},
): Promise<readonly EngineOutcome[]> {
  return engine.translate({ source: 'en', target: 'es', texts: [text], terms, ...rest }, never);
}

const to = (...translations: string[]): EngineOutcome[] =>
  translations.map((translation) => ({ translation }));
const sent = (method: string, path: RegExp): VendorRequest[] =>
  server.requests.filter((request) => request.method === method && path.test(request.path));
const created = (): VendorRequest[] => sent('POST', /^\/v2\/glossaries$/);
/** Nobody waits for removals. */
async function stays(count: number): Promise<void> {
  await expect.poll(() => server.glossaries.size, { interval: 2 }).toBe(count);
}
const lists = (): number => sent('GET', /^\/v2\/glossaries$/).length;

describe('terms for deepl', () => {
  it('are sent as a glossary that is created once and removed at the end', async () => {
    const engine = open();
    expect(await ask(engine, 'the file of the house', [HOUSE, FILE])).toEqual(to('THE FICHERO OF THE HOGAR'));
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOGAR'));
    expect(created().map(({ body }) => body)).toEqual([
      {
        name: 'dragoman-temporary en-es',
        source_lang: 'en',
        target_lang: 'es',
        entries: 'house\thogar\nfile\tfichero',
        entries_format: 'tsv',
      },
    ]);
    expect(server.translations.map(({ body }) => body['glossary_id'])).toEqual(
      server.translations.map(() => [...server.glossaries.keys()][0]),
    );
    expect(server.glossaries.size).toBe(1);
    await engine.close();
    expect(server.glossaries.size).toBe(0);
    expect(troubles).toEqual([]);
  });

  it('are reported missing by engine, if there are several', async () => {
    const told: string[] = [];
    const engine = await createEngine('deepl', {
      env: { DEEPL_API_KEY: DEEPL_KEY, DEEPL_BASE_URL: server.url },
      onWithoutTerms: (id, { code }) => told.push(`${id} ${code}`),
    });
    opened.push(engine);
    server.room = 0;
    expect(engine.uses).toEqual({ hints: true, terms: true });
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOUSE'));
    expect(told).toEqual(['deepl insufficient_credits']);
  });

  it('do not create a glossary if there are none', async () => {
    await ask(open(), 'a house', []);
    await open().translate({ source: 'en', target: 'es', texts: ['a house'] }, never);
    expect(server.requests.filter(({ path }) => path.includes('glossar'))).toEqual([]);
    expect(server.translations[0]?.body).not.toHaveProperty('glossary_id');
  });

  it('join existing ones, whose glossaries are removed', async () => {
    const engine = open();
    await ask(engine, 'a house', [HOUSE]);
    await ask(engine, 'a file', [FILE]);
    expect(await ask(engine, 'file house', [FILE, HOUSE])).toEqual(to('FICHERO HOGAR'));
    expect(created()).toHaveLength(2);
    await stays(1);
    expect([...server.glossaries.values()].map(({ entries }) => entries.size)).toEqual([2]);
  });

  it('that contradict others get a separate glossary', async () => {
    const engine = open();
    const other = { term: 'house', translation: 'casa' };
    await ask(engine, 'a house', [HOUSE]);
    expect(await ask(engine, 'a house', [other])).toEqual(to('A CASA'));
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOGAR'));
    expect(created()).toHaveLength(2);
  });

  it('share one glossary in concurrent requests', async () => {
    const engine = open();
    const terms = [HOUSE, FILE, USER];
    const answers = await Promise.all(
      [HOUSE, FILE, USER, HOUSE, FILE].map((term) => ask(engine, `a ${term.term}`, [term])),
    );
    expect(answers.flat()).toEqual(to('A HOGAR', 'A FICHERO', 'A PERSONA', 'A HOGAR', 'A FICHERO'));
    await ask(engine, 'all', terms);
    expect(created()).toHaveLength(3);
    await stays(1);
  });

  it('ignore regions, and every language pair has a separate glossary', async () => {
    const engine = open();
    await ask(engine, 'a house', [HOUSE], { target: 'pt-BR' });
    await ask(engine, 'a house', [HOUSE], { target: 'pt-PT' });
    await ask(engine, 'a house', [HOUSE], { target: 'de' });
    expect(created().map(({ body }) => body['target_lang'])).toEqual(['pt', 'de']);
    expect(troubles).toEqual([]);
  });

  it('are cleaned: no tabs or line breaks, and no empty, overlong or duplicate terms', async () => {
    const terms = [
      { term: ' a\thouse\n', translation: 'un\u0001hogar' },
      { term: 'a house', translation: 'other' },
      { term: '', translation: 'x' },
      { term: 'x', translation: ' \n' },
      { term: 'y'.repeat(1025), translation: 'y' },
      { term: 'z', translation: 'half \ud83d' },
    ];
    await ask(open(), 'text', terms);
    expect(created().map(({ body }) => body['entries'])).toEqual(['a house\tun hogar']);
    expect(troubles).toEqual([]);
  });

  it('wait until their glossary is ready', async () => {
    server.looks = 3;
    expect(await ask(open(), 'a house', [HOUSE])).toEqual(to('A HOGAR'));
    expect(sent('GET', /^\/v2\/glossaries\/.+/)).toHaveLength(3);
  });
});

describe('an account', () => {
  it('with room for one glossary has one at a time, for any number of terms and pairs', async () => {
    server.room = 1;
    const engine = open();
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOGAR'));
    expect(await ask(engine, 'a file', [FILE])).toEqual(to('A FICHERO'));
    expect(await ask(engine, 'a file', [FILE], { target: 'de' })).toEqual(to('A FICHERO'));
    expect(server.peak).toBe(1);
    expect(troubles).toEqual([]);
  });

  it('loses only glossaries that runs left behind a day ago', async () => {
    const clock = new Clock();
    const put = (id: string, name: string, hours: number): unknown =>
      server.glossaries.set(id, {
        glossary_id: id,
        name,
        source_lang: 'en',
        target_lang: 'es',
        creation_time: new Date(clock.now() - hours * HOUR_MS).toISOString(),
        entries: new Map(),
        looks: 0,
      });
    put('old', 'dragoman-temporary en-es', 25);
    put('young', 'dragoman-temporary en-es', 23);
    put('foreign', 'My glossary', 1000);
    const engine = open(clock);
    await ask(engine, 'a house', [HOUSE]);
    await ask(engine, 'a file', [FILE]);
    await engine.close();
    expect([...server.glossaries.keys()]).toEqual(['young', 'foreign']);
    expect(lists()).toBe(1);
  });

  it('gets new glossaries before others consider them leftovers', async () => {
    const clock = new Clock();
    const engine = open(clock);
    await ask(engine, 'a house', [HOUSE]);
    const [first] = server.glossaries.keys();
    clock.offset = 13 * HOUR_MS;
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOGAR'));
    await stays(1);
    expect(server.glossaries.has(first!)).toBe(false);
  });
});

describe('deepl translates without a glossary and reports the reason', () => {
  it.each([
    [456, 'insufficient_credits'],
    [403, 'unauthenticated'],
    [500, 'service_failed'],
    [400, 'invalid_request'],
  ])('if it cannot be created: %i', async (status, code) => {
    // The third request creates the glossary, after those for the pairs and the list.
    const engine = open();
    await engine.supports('en', 'es');
    server.otherFaults.push(
      (answer) => answer,
      (answer) => answer,
      { status, body: { message: 'no' } },
    );
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOUSE'));
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOUSE'));
    expect(troubles.map((error) => error.code)).toEqual([code]);
    expect(created()).toHaveLength(1);
  });

  it('and tries again after a minute', async () => {
    const clock = new Clock();
    const engine = open(clock);
    await engine.supports('en', 'es');
    server.otherFaults.push({ status: 400, body: '' });
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOUSE'));
    clock.offset = 61_000;
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOGAR'));
  });

  it('if the pair supports none', async () => {
    const engine = open();
    expect(await ask(engine, 'a house', [HOUSE], { target: 'no' })).toEqual(to('A HOUSE'));
    expect(troubles).toMatchObject([
      { code: 'engine_unavailable', message: expect.stringContaining('en-nb') },
    ]);
    expect(created()).toEqual([]);
  });

  it('if it does not become ready, and removes it', async () => {
    server.looks = 1000;
    expect(await ask(open(), 'a house', [HOUSE])).toEqual(to('A HOUSE'));
    expect(troubles).toMatchObject([{ message: expect.stringContaining('does not become ready') }]);
    expect(server.glossaries.size).toBe(0);
  });

  it.each([{}, { glossary_id: '../../v2/usage', ready: true }, 'no JSON'])(
    'if the answer is %j',
    async (body) => {
      const engine = open();
      await engine.supports('en', 'es');
      server.otherFaults.push(
        (answer) => answer,
        (answer) => answer,
        { status: 201, body },
      );
      expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOUSE'));
      expect(troubles).toMatchObject([{ code: 'contract_violation' }]);
    },
  );

  it('if the service rejects the glossary, even if it accepted an earlier one', async () => {
    const engine = open();
    server.faults.push({ status: 400, body: { message: 'Glossary languages do not match' } });
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOUSE'));
    await stays(0);
    expect(troubles).toMatchObject([{ code: 'invalid_request' }]);
    const other = open();
    await ask(other, 'a house', [HOUSE]);
    server.otherFaults.push({ status: 500, body: '' });
    expect(await ask(other, 'house and file', [HOUSE, FILE])).toEqual(to('HOGAR AND FILE'));
  });

  it('but not if the service rejects the text', async () => {
    const engine = open();
    const refused = { status: 400, body: { message: 'Tag handling parsing failed' } };
    await engine.translate({ source: 'en', target: 'es', texts: ['warm up'] }, never);
    server.faults.push(refused, refused);
    expect(await ask(engine, 'bad', [HOUSE])).toEqual([
      { failure: expect.stringContaining('parsing failed') },
    ]);
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOGAR'));
    expect(troubles).toEqual([]);
    expect(created()).toHaveLength(1);
  });
});

describe('deepl with a glossary', () => {
  it('creates a new glossary if the old one was removed', async () => {
    const engine = open();
    await ask(engine, 'a house', [HOUSE]);
    server.glossaries.clear();
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOGAR'));
    expect(created()).toHaveLength(2);
    expect(troubles).toEqual([]);
    server.always = ({ status, body }, request) =>
      'glossary_id' in request.body ? { status: 404, body: {} } : { status, body };
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOUSE'));
    expect(troubles).toMatchObject([{ code: 'not_found' }]);
  });

  it('removes a glossary that is being created when it is closed', async () => {
    const engine = open();
    await engine.supports('en', 'es');
    let arrived = (): void => undefined;
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    let answerNow = (): void => undefined;
    const held = new Promise<void>((resolve) => (answerNow = resolve));
    server.otherFaults.push(
      (answer) => answer,
      (answer) => answer,
      async (answer) => {
        arrived();
        await held;
        return answer;
      },
    );
    const call = ask(engine, 'a house', [HOUSE]).catch((error: unknown) => error);
    await asked;
    const closed = engine.close();
    answerNow();
    await closed;
    await call;
    expect(server.glossaries.size).toBe(0);
  });

  it('can be interrupted while a glossary is created, and uses it afterwards', async () => {
    const engine = open();
    await engine.supports('en', 'es');
    const controller = new AbortController();
    server.otherFaults.push(
      (answer) => answer,
      (answer) => answer,
      (answer) => {
        controller.abort();
        return answer;
      },
    );
    const request = { source: 'en', target: 'es', texts: ['a house'], terms: [HOUSE] };
    await expect(engine.translate(request, controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
    expect(await ask(engine, 'a house', [HOUSE])).toEqual(to('A HOGAR'));
    expect(created()).toHaveLength(1);
    await engine.close();
    expect(server.glossaries.size).toBe(0);
  });
});
