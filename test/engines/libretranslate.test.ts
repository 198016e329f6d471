import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { createLibreTranslateEngine } from '../../src/engines/libretranslate/libretranslate.ts';
import { LIBRETRANSLATE_KEY, startLibreTranslate } from './servers/libretranslate.ts';
import type { VendorServer } from './servers/vendor-server.ts';

const never = new AbortController().signal;
let server: VendorServer;
let engine: Engine;
beforeAll(async () => {
  server = await startLibreTranslate();
  const env = { LIBRETRANSLATE_API_KEY: LIBRETRANSLATE_KEY, LIBRETRANSLATE_BASE_URL: server.url };
  engine = createLibreTranslateEngine({ env });
});
afterAll(async () => {
  await engine.close();
  await server.close();
});

describe('libretranslate', () => {
  it('sends HTML and the key in the body', async () => {
    const texts = ['One <x id="1"/>\n<x id="2">house</x> &amp; garden'];
    expect(await engine.translate({ source: 'en', target: 'es', texts }, never)).toEqual([
      { translation: 'ONE <x id="1"/>\n<x id="2">HOUSE</x> &amp; GARDEN' },
    ]);
    expect(server.translations[0]?.body).toEqual({
      q: ['One <span translate="no" id="x1">{1}</span><br id="s1"><span id="g2">house</span> &amp; garden'],
      source: 'en',
      target: 'es',
      format: 'html',
      api_key: LIBRETRANSLATE_KEY,
    });
    expect(JSON.stringify(server.requests.map(({ path, headers }) => [path, headers]))).not.toContain(
      LIBRETRANSLATE_KEY,
    );
  });

  it('uses the language codes and pairs of the server', async () => {
    const supports = (source: string, target: string): Promise<boolean> => engine.supports(source, target);
    expect(await supports('en', 'pt-BR')).toBe(true);
    expect(await supports('en', 'pt')).toBe(true);
    expect(await supports('en', 'zh-TW')).toBe(true);
    expect(await supports('es', 'zh-TW')).toBe(false);
    expect(await supports('zh-CN', 'en')).toBe(true);
    const { pairs } = await engine.status();
    expect(pairs).toContainEqual({ source: 'en', target: 'pt-BR' });
    expect(pairs).not.toContainEqual({ source: 'es', target: 'pt-BR' });
  });

  it('does not translate through English to a variant of the same language', async () => {
    const targets = ['en', 'pt', 'pb', 'zh', 'zt'];
    server.otherFaults.push({ status: 200, body: targets.map((code) => ({ code, targets })) });
    const pivoting = createLibreTranslateEngine({ env: { LIBRETRANSLATE_BASE_URL: server.url } });
    for (const [source, target] of [
      ['pt', 'pt-BR'],
      ['zh-CN', 'zh-TW'],
      ['en-GB', 'en-US'],
    ] as const)
      expect(await pivoting.supports(source, target)).toBe(false);
    expect(await pivoting.supports('pt', 'zh-TW')).toBe(true);
    const { pairs } = await pivoting.status();
    expect(pairs).not.toContainEqual({ source: 'pt', target: 'pt-BR' });
    await pivoting.close();
  });

  it('accepts the languages of older servers, which do not list pairs', async () => {
    server.otherFaults.push({ status: 200, body: [{ code: 'en' }, { code: 'de' }] });
    const env = { LIBRETRANSLATE_BASE_URL: server.url };
    const older = createLibreTranslateEngine({ env });
    expect(await older.supports('de', 'en')).toBe(true);
    await older.close();
  });

  it.each<[string, (texts: readonly string[]) => boolean]>([
    ['texts', (texts) => texts.length <= 4],
    ['characters', (texts) => texts.join('').length <= 40],
  ])('respects a lower limit of %s from its first request', async (_, fits) => {
    const limited = await startLibreTranslate();
    limited.always = (answer, { body }) =>
      fits(body['q'] as string[]) ? answer : { status: 400, body: { error: 'exceeds text limit' } };
    const env = { LIBRETRANSLATE_API_KEY: LIBRETRANSLATE_KEY, LIBRETRANSLATE_BASE_URL: limited.url };
    const own = createLibreTranslateEngine({ env });
    const texts = Array.from({ length: 20 }, (__, i) => `text ${i}`);
    const ask = () => own.translate({ source: 'en', target: 'es', texts }, never);
    const expected = texts.map((text) => ({ translation: text.toUpperCase() }));
    expect(await ask()).toEqual(expected);
    const asked = limited.translations.length;
    expect(await ask()).toEqual(expected);
    // The second call uses the limit that the first one learned.
    expect(limited.translations.length - asked).toBeLessThanOrEqual(7);
    await own.close();
    await limited.close();
  });

  it('sends only a few requests to a server that refuses everything', async () => {
    const refusing = await startLibreTranslate();
    refusing.always = { status: 400, body: { error: 'en is not supported' } };
    const env = { LIBRETRANSLATE_API_KEY: LIBRETRANSLATE_KEY, LIBRETRANSLATE_BASE_URL: refusing.url };
    const own = createLibreTranslateEngine({ env });
    const texts = Array.from({ length: 25 }, (_, i) => `text ${i}`);
    const outcomes = await own.translate({ source: 'en', target: 'es', texts }, never);
    expect(outcomes.every((outcome) => 'failure' in outcome)).toBe(true);
    expect(refusing.translations.length).toBeLessThanOrEqual(15);
    await own.close();
    await refusing.close();
  });
});
