import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineOutcome } from '../../src/engines/engine.ts';
import { createGoogleEngine } from '../../src/engines/google/google.ts';
import { GOOGLE_KEY, refuse, startGoogle } from './servers/google.ts';
import type { VendorServer } from './servers/vendor-server.ts';

const never = new AbortController().signal;
let server: VendorServer;
beforeAll(async () => {
  server = await startGoogle();
});
afterAll(() => server.close());

async function ask(texts: readonly string[], target = 'es'): Promise<readonly EngineOutcome[]> {
  const engine = createGoogleEngine({ env: { GOOGLE_API_KEY: GOOGLE_KEY, GOOGLE_BASE_URL: server.url } });
  server.translations.length = 0;
  try {
    return await engine.translate({ source: 'en', target, texts }, never);
  } finally {
    await engine.close();
  }
}

describe('google', () => {
  it('sends HTML, and decodes the answers', async () => {
    const texts = ['It\'s "<x id="1"/>" &amp; <x id="2">more &lt;b&gt;</x>'];
    expect(await ask(texts)).toEqual([
      { translation: 'IT\'S "<x id="1"/>" &amp; <x id="2">MORE &lt;B&gt;</x>' },
    ]);
    expect(server.translations[0]?.body).toEqual({
      q: ['It\'s "<span translate="no" id="x1">{1}</span>" &amp; <span id="g2">more &lt;b&gt;</span>'],
      source: 'en',
      target: 'es',
      format: 'html',
    });
  });

  it('keeps lines, tabs and spaces, which HTML would not', async () => {
    expect(await ask(['One\r\n\r\n  two\tthree  four\u00a0five'])).toEqual([
      { translation: 'ONE\r\n\r\n  TWO\tTHREE  FOUR\u00a0FIVE' },
    ]);
  });

  it.each([
    ['lost', 'UNO DOS'],
    ['doubled', 'UNO<br id="s1"><br id="s1">DOS'],
    ['that was not in the request', 'UNO<br id="s1"><br>DOS'],
  ])('does not accept a line break %s as a translation', async (_, translatedText) => {
    server.faults.push({ status: 200, body: { data: { translations: [{ translatedText }] } } });
    const [outcome] = await ask(['One\ntwo']);
    const isRefused = !outcome || 'failure' in outcome || /<br/.test(outcome.translation);
    expect(isRefused).toBe(true);
  });

  it('removes spaces that the service adds around a line break', async () => {
    server.faults.push({
      status: 200,
      body: { data: { translations: [{ translatedText: 'UNO <br id="s1"> DOS' }] } },
    });
    expect(await ask(['One\n two'])).toEqual([{ translation: 'UNO\n DOS' }]);
  });

  it.each([
    ['zh-TW', 'zh-TW'],
    ['zh-CN', 'zh-CN'],
    ['he', 'iw'],
    ['nb', 'no'],
    ['pt-BR', 'pt'],
    ['pt-PT', 'pt-PT'],
  ])('writes %s as %s', async (target, code) => {
    await ask(['a house'], target);
    expect(server.translations[0]?.body['target']).toBe(code);
  });

  it.each([
    ['en-GB', 'en-US', false],
    ['pt-BR', 'pt', false],
    ['nb', 'no', false],
    ['pt-BR', 'pt-PT', true],
    ['zh-CN', 'zh-TW', true],
  ])('translates %s to %s if it distinguishes them', async (source, target, does) => {
    const engine = createGoogleEngine({ env: { GOOGLE_API_KEY: GOOGLE_KEY, GOOGLE_BASE_URL: server.url } });
    expect(await engine.supports(source, target)).toBe(does);
    await engine.close();
  });

  it('stays within 128 texts and 30,000 characters', async () => {
    const texts = [
      ...Array.from({ length: 300 }, (_, i) => `House ${i}`),
      'a'.repeat(29_000),
      'b'.repeat(29_000),
    ];
    const outcomes = await ask(texts);
    expect(outcomes.every((outcome) => 'translation' in outcome)).toBe(true);
    expect(await ask(['c'.repeat(30_001)])).toEqual([{ failure: expect.stringContaining('longer') }]);
  });

  it.each([
    ['keyInvalid', 400, 'unauthenticated'],
    ['dailyLimitExceeded', 403, 'insufficient_credits'],
    ['forbidden', 403, 'unauthenticated'],
    ['invalid', 400, 'invalid_request'],
  ])('reports %s', async (reason, status, code) => {
    server.faults.push(refuse(status, reason, 'No.'));
    expect(await ask(['a house'])).toMatchObject([{ error: { code } }]);
  });

  it('retries when the rate of a minute was exceeded', async () => {
    server.faults.push(refuse(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded'));
    expect(await ask(['a house'])).toEqual([{ translation: 'A HOUSE' }]);
    expect(server.translations).toHaveLength(2);
  });
});
