import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeepLEngine, type DeepLOptions } from '../../src/engines/deepl/deepl.ts';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { HOSTILE_TEXTS } from './hostile-hints.ts';
import { DEEPL_KEY, startDeepL } from './servers/deepl.ts';
import type { VendorServer } from './servers/vendor-server.ts';

const never = new AbortController().signal;
let server: VendorServer;
beforeAll(async () => {
  server = await startDeepL();
});
afterAll(() => server.close());

async function withDeepL<T>(
  work: (engine: Engine) => Promise<T>,
  options: Omit<DeepLOptions, 'env'> = {},
): Promise<T> {
  const env = { DEEPL_API_KEY: DEEPL_KEY, DEEPL_BASE_URL: server.url };
  const engine = createDeepLEngine({ ...options, env });
  server.requests.length = 0;
  server.translations.length = 0;
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function ask(texts: readonly string[], target = 'es', source = 'en') {
  return (engine: Engine): Promise<readonly EngineOutcome[]> =>
    engine.translate({ source, target, texts }, never);
}

describe('deepl', () => {
  it('sends XML whose placeholders are not translated and do not split sentences', async () => {
    const text = 'Hi <x id="1"/>, read <x id="2">the <x id="3"/> &amp; more</x>';
    expect(await withDeepL(ask([text]))).toEqual([
      { translation: 'HI <x id="1"/>, READ <x id="2">THE <x id="3"/> &amp; MORE</x>' },
    ]);
    expect(server.translations[0]?.body).toEqual({
      text: ['Hi <x id="1"/>, read <g id="2">the <x id="3"/> &amp; more</g>'],
      source_lang: 'EN',
      target_lang: 'ES',
      tag_handling: 'xml',
      tag_handling_version: 'v2',
      ignore_tags: ['x'],
      non_splitting_tags: ['x', 'g'],
      outline_detection: false,
      preserve_formatting: true,
    });
  });

  it.each([
    ['en', 'EN-US'],
    ['en-US', 'EN-US'],
    ['en-GB', 'EN-GB'],
    ['en-AU', 'EN-GB'],
    ['pt', 'PT-BR'],
    ['pt-PT', 'PT-PT'],
    ['pt-AO', 'PT-PT'],
    ['es-MX', 'ES'],
    ['es-419', 'ES-419'],
    ['zh', 'ZH'],
    ['zh-CN', 'ZH-HANS'],
    ['zh-TW', 'ZH-HANT'],
    ['zh-HK', 'ZH-HANT'],
    ['no', 'NB'],
    ['de-AT', 'DE'],
  ])('writes %s as %s', async (target, code) => {
    await withDeepL(ask(['a house'], target, target.startsWith('de') ? 'en' : 'de'));
    expect(server.translations[0]?.body['target_lang']).toBe(code);
  });

  it.each([
    ['en', 'en-GB', true],
    ['en-GB', 'en-US', true],
    ['pt', 'pt-BR', true],
    ['en-US', 'en', false],
    ['en', 'en-AU', false],
    ['de', 'de-AT', false],
  ])('translates %s to %s if that is a target', async (source, target, does) => {
    await withDeepL(async (engine) => expect(await engine.supports(source, target)).toBe(does));
  });

  it('accepts every variant of Chinese, and reports unsupported targets', async () => {
    await withDeepL(ask(['房子'], 'de', 'zh-TW'));
    expect(server.translations[0]?.body['source_lang']).toBe('ZH');
    await withDeepL(async (engine) => {
      expect(await engine.supports('en', 'tlh')).toBe(false);
      await expect(ask(['a house'], 'tlh')(engine)).rejects.toMatchObject({ code: 'engine_unavailable' });
    });
  });

  it('requests the languages once', async () => {
    await withDeepL(async (engine) => {
      await Promise.all([ask(['a'])(engine), ask(['b'])(engine), engine.supports('en', 'de')]);
      await engine.status();
    });
    expect(server.requests.flatMap(({ method, path }) => (method === 'GET' ? path : []))).toEqual([
      '/v3/languages?resource=translate_text',
    ]);
  });

  it.each([
    ['formal', 'prefer_more'],
    ['informal', 'prefer_less'],
  ] as const)('prefers %s forms, except in languages without them', async (formality, preference) => {
    await withDeepL((engine) =>
      engine.translate({ source: 'en', target: 'es', texts: ['a house'], formality }, never),
    );
    expect(server.translations[0]?.body['formality']).toBe(preference);
  });

  it('receives only the comments of its texts', async () => {
    const texts = Array.from({ length: 60 }, (_, i) => `House ${i}`);
    const comments = new Map([
      [3, ['On a button', 'On a button']],
      [4, ['On a\nbutton']],
      [12, ['1']],
      [55, ['Title of a page']],
    ]);
    const hints = texts.map((_, i) => ({
      keys: ['no prose'],
      neighbours: ['not this'],
      comments: comments.get(i) ?? [],
    }));
    await withDeepL((engine) => engine.translate({ source: 'en', target: 'es', texts, hints }, never));
    expect(server.translations.map(({ body }) => body['context'])).toEqual([
      'On a button\n1',
      'Title of a page',
    ]);
    await withDeepL(ask(['a house']));
    expect(server.translations[0]?.body).not.toHaveProperty('context');
  });

  it('receives limited context in requests within the size limit', async () => {
    const texts = Array.from({ length: 50 }, () => 'ж'.repeat(1180));
    const hints = texts.map((_, i) => ({
      comments: [`${i} ${'漢"\u0001'.repeat(30_000)}`, ...HOSTILE_TEXTS],
    }));
    const outcomes = await withDeepL((engine) =>
      engine.translate({ source: 'en', target: 'es', texts, hints }, never),
    );
    expect(outcomes.filter((outcome) => 'failure' in outcome)).toEqual([]);
    const contexts = server.translations.map(({ body }) => body['context']);
    expect(contexts).toHaveLength(1);
    expect(String(contexts[0]).length).toBeGreaterThan(400);
    expect(String(contexts[0]).length).toBeLessThanOrEqual(1000);
    expect(contexts[0]).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('keeps hints with their texts when a request is halved', async () => {
    server.always = (answer, { body }) =>
      (body['text'] as string[]).includes('bad') ? { status: 400, body: { message: 'no' } } : answer;
    const texts = ['good', 'one', 'bad', 'two'];
    const hints = texts.map((text) => ({ comments: [`about ${text}`] }));
    await withDeepL(async (engine) => {
      await ask(['warm up'])(engine);
      await engine.translate({ source: 'en', target: 'es', texts, hints }, never);
    });
    server.always = undefined;
    for (const { body } of server.translations.slice(1)) {
      const about = (body['text'] as string[]).map((text) => `about ${text}`);
      expect(body['context']).toBe(about.join('\n'));
    }
  });

  it('stays within 50 texts and 128 KiB, and does not send longer texts', async () => {
    const long = 'ж'.repeat(30_000);
    const texts = [
      ...Array.from({ length: 120 }, (_, i) => `House ${i}`),
      long,
      long,
      long,
      long,
      long.repeat(3),
    ];
    const outcomes = await withDeepL(ask(texts));
    expect(outcomes.slice(0, -1).every((outcome) => 'translation' in outcome)).toBe(true);
    expect(outcomes.at(-1)).toEqual({ failure: expect.stringContaining('longer') });
    expect(server.translations.length).toBeLessThanOrEqual(6);
  });

  it('fails a text with characters that XML cannot represent, and sends the others', async () => {
    const outcomes = await withDeepL(ask(['a\u0001b', 'a house', 'c\ufffed']));
    expect(outcomes.map((outcome) => 'translation' in outcome)).toEqual([false, true, false]);
  });

  it('finds the text that the service rejects, and translates the others', async () => {
    server.always = (answer, { body }) =>
      (body['text'] as string[]).includes('bad')
        ? { status: 400, body: { message: 'Tag handling parsing failed' } }
        : answer;
    const texts = Array.from({ length: 90 }, (_, i) => (i === 70 ? 'bad' : `House ${i}`));
    const outcomes = await withDeepL(ask(texts));
    server.always = undefined;
    expect(outcomes[70]).toEqual({ failure: expect.stringContaining('parsing failed') });
    expect(outcomes.filter((outcome) => 'translation' in outcome)).toHaveLength(89);
    expect(server.translations.length).toBeLessThan(16);
  });

  it('does not split a request for a service that accepts no requests', async () => {
    server.always = { status: 400, body: { message: 'Bad request' } };
    const outcomes = await withDeepL(ask(['a', 'b', 'c', 'd']));
    server.always = undefined;
    expect(outcomes).toMatchObject(outcomes.map(() => ({ error: { code: 'invalid_request' } })));
    expect(server.translations).toHaveLength(1);
  });

  it.each([
    ['as pairs', '<x id="1"></x> und <g id="2"/>', '<x id="1"/> und <x id="2"></x>'],
    ['with quotes', "<x id='1' /> '&quot;&#228;", '<x id="1"/> \'"ä'],
    ['that were not in the request', '<x id="1"/><b>x</b>', '<x id="1"/><b>x</b>'],
    ['without a number', '<x/> a', '<x id="0"/> a'],
  ])('reads tags %s', async (_, answered, translation) => {
    server.faults.push({ status: 200, body: { translations: [{ text: answered }] } });
    expect(await withDeepL(ask(['<x id="1"/> a <x id="2">b</x>']))).toEqual([{ translation }]);
  });

  it.each([
    ['fewer translations', { translations: [{ text: 'a' }] }, 'contract_violation'],
    [
      'more translations',
      { translations: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] },
      'contract_violation',
    ],
    ['translations that are not a list', { translations: 'a' }, 'contract_violation'],
  ])('does not accept an answer with %s', async (_, body, code) => {
    server.faults.push({ status: 200, body });
    const outcomes = await withDeepL(ask(['a house', 'b']));
    expect(outcomes).toMatchObject([{ error: { code } }, { error: { code } }]);
  });

  it('judges each translation separately', async () => {
    server.faults.push({
      status: 200,
      body: { translations: [{ text: 'x' }, { text: null }, {}, { text: '\ud800' }] },
    });
    const outcomes = await withDeepL(ask(['a', 'b', 'c', 'd']));
    expect(outcomes.map((outcome) => 'translation' in outcome)).toEqual([true, false, false, false]);
  });

  it('uses the address that matches the key', () => {
    expect(() => createDeepLEngine({ env: {} })).toThrow(
      expect.objectContaining({ code: 'configuration', hint: expect.stringContaining('DEEPL_API_KEY') }),
    );
    // A custom address may need no key.
    expect(createDeepLEngine({ env: { DEEPL_BASE_URL: server.url } }).id).toBe('deepl');
  });
});
