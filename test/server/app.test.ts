import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { operations, type Operation } from '../../src/contract/operations.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { jobsOf, openApp, scriptedEngine } from './harness.ts';

const fr = { source: 'en', target: 'fr' };

describe('the application', () => {
  it('answers every operation of the table, but only health without a key', async () => {
    const { app } = await openApp();
    for (const operation of Object.values<Operation>(operations)) {
      const path = operation.path.replace('{job_id}', '9b2f8f2e-6d0e-4c34-9d3e-0f6a2b8f3c11');
      const answer = await app.request(path, { method: operation.method });
      expect([operation.path, answer.status]).toEqual([operation.path, operation.key?.missing ?? 200]);
      if (operation.key) expect(await answer.json()).toEqual({ detail: 'the X-API-KEY header is required' });
    }
  });

  it('refuses unknown and reset keys with the statuses of the operation', async () => {
    const { ask, store } = await openApp();
    for (const { path, method, key } of Object.values<Operation>(operations)) {
      if (!key) continue;
      const answer = await ask(path, { method, headers: { 'X-API-KEY': 'drg_unknown' } });
      expect([path, answer.status]).toEqual([path, key.invalid]);
      expect(await answer.json()).toEqual({ detail: 'the API key is invalid' });
    }
    await store.accounts.resetKey('anna@example.org');
    for (const { path, method, key } of Object.values<Operation>(operations)) {
      if (!key) continue;
      const answer = await ask(path, { method });
      expect([path, answer.status]).toEqual([path, key.revoked]);
      expect(await answer.json()).toEqual({
        detail: 'the API key was revoked or has expired and is no longer valid',
      });
    }
  });

  it('answers unknown paths with 404 and wrong methods with 405, in JSON', async () => {
    const { ask } = await openApp();
    const unknown = await ask('/v3/translate');
    expect(unknown.status).toBe(404);
    expect(unknown.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await unknown.json()).toEqual({ detail: 'there is no such path' });
    const wrong = await ask('/v2/translate');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await wrong.json()).toEqual({ detail: 'this path accepts POST only' });
    const options = await ask('/v2/account/summary', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('gives a request a new id, or keeps that of a proxy', async () => {
    const { ask, logged } = await openApp();
    const given = await ask('/health', { headers: { 'X-Request-Id': 'proxy-1' } });
    expect(given.headers.get('x-request-id')).toBe('proxy-1');
    const unsafe = await ask('/health', { headers: { 'X-Request-Id': 'a b"' } });
    expect(unsafe.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(logged[0]?.fields).toMatchObject({ id: 'proxy-1', route: 'GET /health', status: 200 });
  });

  it('serves version 1 with the shapes of version 1', async () => {
    const { post, ask, account } = await openApp();
    const translated = await post('/v1/translate', { text: 'Hello', ...fr });
    expect(await translated.json()).toEqual({ translation: 'Ĥéļļö', source: 'en', target: 'fr' });
    const detected = await post('/v1/language_detect', { text: 'Wo ist der nächste Bahnhof, bitte?' });
    const answer = (await detected.json()) as { language: string; confidence: number };
    expect(Object.keys(answer)).toEqual(['language', 'confidence']);
    expect(answer.language).toBe('de');
    expect(answer.confidence).toBeGreaterThan(0.3);
    expect(answer.confidence).toBeLessThanOrEqual(1);
    const [one, two] = await Promise.all([ask('/v1/supported-languages'), ask('/v2/supported-languages')]);
    expect(await one.json()).toEqual(await two.json());
    expect((await account()).balance).toBe(998);
  });

  it('hides internal errors', async () => {
    const service = { translate: () => Promise.reject(new Error('the secret is 42')) };
    const { post, logged, account } = await openApp({ service: service as never });
    const answer = await post('/v2/translate', { text: 'Hello', ...fr });
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('{"detail":"internal server error"}');
    expect(logged.find(({ level }) => level === 'error')?.fields['route']).toBe('POST /v2/translate');
    expect(await account()).toMatchObject({ balance: 1000, reserved: 0, requestsFailed: 1 });
  });

  it('answers 503 if it cannot write, and logs the reason', async () => {
    const full = (): Promise<never> =>
      Promise.reject(
        new DragomanError('unwritable_output', 'cannot write to the database: the disk is full'),
      );
    const { post, logged, account } = await openApp({
      metering: { admit: full, reserve: full, charge: full, countRequest: full },
    });
    const refused = await post('/v2/translate', { text: 'Hello', ...fr });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.text()).not.toContain('disk');
    const line = logged.find(({ level }) => level === 'warn');
    expect(line?.fields['err']).toMatchObject({
      message: expect.stringContaining('the disk is full') as string,
    });
    expect(await account()).toMatchObject({ balance: 1000, reserved: 0 });
    // An upload without a location.
    const other = await openApp();
    writeFileSync(join(other.directory, 'uploads'), '');
    const form = new FormData();
    form.append('target_languages', 'fr');
    form.append('file', new Blob(['{"a":"b"}']), 'a.json');
    const upload = await other.ask('/v2/translate/i18n', { method: 'POST', body: form });
    expect([upload.status, upload.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('reports that the engine failed, without its message', async () => {
    const { post } = await openApp({ engine: scriptedEngine() });
    const answer = await post('/v2/translate', { text: 'FAIL', ...fr });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ detail: 'internal server error: the engine failed' });
  });

  it('serves its documentation without a key', async () => {
    const { app } = await openApp();
    const root = await app.request('/');
    expect([root.status, root.headers.get('location')]).toEqual([302, 'docs']);
    const docs = await app.request('/docs');
    expect(docs.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(docs.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await docs.text()).toContain('https://translate.example.org');
    const document = (await (await app.request('/openapi.json')).json()) as { openapi: string };
    expect(document.openapi).toMatch(/^3\.1/);
    expect((await app.request('/metrics')).status).toBe(404);
  });

  it('renders its pages once, and serves everybody the same bytes', async () => {
    let made = 0;
    const publicUrl = (): string => `https://translate${++made}.example.org`;
    const { app } = await openApp({ options: { publicUrl } });
    const pages: string[] = [];
    for (let i = 0; i < 5; i++) pages.push(await (await app.request('/docs')).text());
    for (let i = 0; i < 5; i++) pages.push(await (await app.request('/openapi.json')).text());
    expect(made).toBe(1);
    expect(new Set(pages).size).toBe(2);
  });

  it('checks the health of the engine once for many requests', async () => {
    const now = 0;
    let time = now;
    let asked = 0;
    const service = {
      health: () => {
        asked++;
        return Promise.resolve({ status: 'healthy', timestamp: '2026-01-01T00:00:00Z' });
      },
    };
    const { app } = await openApp({ service: service as never, now: () => time });
    await Promise.all(Array.from({ length: 20 }, async () => app.request('/health')));
    expect(asked).toBe(1);
    time += 2_000;
    expect((await app.request('/health')).status).toBe(200);
    expect(asked).toBe(2);
  });

  it('answers within about a second with the last known health while the engine takes longer', async () => {
    let isSlow = false;
    let now = 0;
    const engine = createPseudoEngine();
    const slow: typeof engine = {
      ...engine,
      status: (signal) => (isSlow ? new Promise(() => undefined) : engine.status(signal)),
    };
    const { app } = await openApp({ engine: slow, now: () => now });
    expect(await (await app.request('/health')).json()).toMatchObject({ status: 'healthy' });
    isSlow = true;
    now += 60_000;
    const answer = await app.request('/health');
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'healthy' }),
    ]);
  });

  it('reports unhealthy within about a second while the store does not answer', async () => {
    let time = 0;
    let store: () => Promise<void> = () => new Promise(() => undefined);
    const { app } = await openApp({ storeReady: () => store(), now: () => time });
    const started = performance.now();
    const hanging = await app.request('/health');
    expect(performance.now() - started).toBeLessThan(5_000);
    const unhealthy = { status: 'unhealthy', detail: 'the store does not answer' };
    expect([hanging.status, await hanging.json()]).toEqual([503, expect.objectContaining(unhealthy)]);
    expect(hanging.headers.get('retry-after')).toBe('1');
    time += 2_000;
    store = () => Promise.reject(new Error('the disk is full'));
    const failing = await app.request('/health');
    expect([failing.status, await failing.json()]).toEqual([503, expect.objectContaining(unhealthy)]);
    time += 2_000;
    store = () => Promise.resolve();
    const well = await app.request('/health');
    expect([well.status, await well.json()]).toEqual([200, expect.objectContaining({ status: 'healthy' })]);
  });

  it('logs unknown paths without their query', async () => {
    const { app, logged } = await openApp();
    expect((await app.request('/v3/translate?text=secret')).status).toBe(404);
    await app.request('/v2/translate', { method: 'PUT' });
    expect(logged.map(({ fields }) => [fields['route'], fields['path']])).toEqual([
      ['unmatched', '/v3/translate'],
      ['/v2/translate', undefined],
    ]);
  });

  it('serves the paths of the SDKs on request', async () => {
    const paths = ['/v2/language/supported', '/v2/user/account', '/v2/i18n/jobs'];
    const strict = await openApp();
    const open = await openApp({
      options: { sdkPaths: true },
      jobs: jobsOf({ listJobs: () => Promise.resolve([]) }),
    });
    for (const path of paths) {
      expect([path, (await strict.ask(path)).status]).toEqual([path, 404]);
      expect([path, (await open.ask(path)).status]).toEqual([path, 200]);
    }
    const detected = await open.post('/v2/language/detect', { text: 'Wo ist der nächste Bahnhof, bitte?' });
    expect(await detected.json()).toMatchObject({ language_detection: { language: 'de' } });
    expect((await open.account()).balance).toBe(999);
    expect((await open.app.request('/v2/user/account')).status).toBe(401);
  });

  it('links to the next page of jobs', async () => {
    const pages: unknown[] = [];
    const { ask } = await openApp({
      jobs: jobsOf({
        listJobs: ({ limit, cursor, onMore }) => {
          pages.push([limit, cursor]);
          if (cursor === undefined) onMore?.('17');
          return Promise.resolve([]);
        },
      }),
    });
    const path = '/v2/translate/i18n/jobs';
    const first = await ask(`${path}?limit=2`);
    expect(first.headers.get('link')).toBe(
      `<https://translate.example.org${path}?limit=2&cursor=17>; rel="next"`,
    );
    expect((await ask(`${path}?limit=2&cursor=17`)).headers.get('link')).toBeNull();
    expect((await ask(path)).headers.get('link')).toContain('?cursor=17>');
    expect(pages).toEqual([
      [2, undefined],
      [2, '17'],
      [undefined, undefined],
    ]);
    for (const limit of ['0', '1001', '-1', 'all', '1e2'])
      expect([limit, (await ask(`${path}?limit=${limit}`)).status]).toEqual([limit, 400]);
  });
});
