import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { interrupted } from '../../src/base/interruption.ts';
import { parseFaults } from '../../src/server/guards/faults.ts';
import { exchangeBytes, listenTo, openApp, parseAnswer, scriptedEngine } from './harness.ts';
import { codePoint } from '../code-point.ts';

const fr = { source: 'en', target: 'fr' };

/** A promise and its resolver. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('credits', () => {
  it('are charged for translated texts', async () => {
    const { post, account } = await openApp({ engine: scriptedEngine() });
    const spent = async (path: string, body: object): Promise<number> => {
      const before = await account();
      const answer = await post(path, { ...body, ...fr });
      expect([path, answer.status]).toEqual([path, 200]);
      return before.balance - (await account()).balance;
    };
    expect(await spent('/v2/translate', { text: 'Hello' })).toBe(1);
    expect(await spent('/v2/translate/batch', { texts: ['One', 'FAIL', 'Three'] })).toBe(2);
    expect(await spent('/v2/translate/html', { html: '<p>One</p><p>Two</p>' })).toBe(1);
    const email = { subject: 'Hi', email_body: '<p>One</p> <p>FAIL</p><p>Three</p>' };
    expect(await spent('/v2/translate/email', email)).toBe(3);
    const content = '1\n00:00:01,000 --> 00:00:02,000\nFAIL.\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo.\n';
    expect(await spent('/v2/translate/subtitles', { format: 'srt', content })).toBe(1);
    expect(await spent('/v2/language_detect', { text: 'Where is the station?' })).toBe(1);
    expect(await account()).toMatchObject({ requestsSuccessful: 6, requestsFailed: 0, reserved: 0 });
  });

  it('are not charged for a document if nothing could be translated', async () => {
    const { post, account } = await openApp({ engine: scriptedEngine() });
    const content = '1\n00:00:01,000 --> 00:00:02,000\nFAIL\n';
    const bodies = {
      '/v2/translate/html': { html: '<p>FAIL</p><p>FAIL 2</p>' },
      '/v2/translate/email': { subject: 'FAIL', email_body: '<p>FAIL</p>' },
      '/v2/translate/subtitles': { format: 'srt', content },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await post(path, { ...body, ...fr });
      expect([path, answer.status]).toEqual([path, 500]);
    }
    expect(await account()).toMatchObject({ balance: 1000, reserved: 0, requestsFailed: 3 });
  });

  it('are required: 402 reports the remaining and the required credits', async () => {
    const { post, account } = await openApp({ creditsGranted: 2 });
    const answer = await post('/v2/translate/batch', { texts: ['a', 'b', 'c'], ...fr });
    expect(answer.status).toBe(402);
    expect(await answer.json()).toEqual({ detail: 'insufficient credits: 2 remaining, 3 required' });
    expect(await account()).toMatchObject({ balance: 2, reserved: 0, requestsFailed: 1 });
    const wrong = await post('/v2/translate/batch', {
      texts: ['a', 'b', 'c'],
      source: 'en',
      target: 'xx-no',
    });
    expect(wrong.status).toBe(400);
  });

  it('are required before a body is read: without credits, any body gets 402 unread', async () => {
    const test = await openApp({ creditsGranted: 0 });
    const detail = 'insufficient credits: 0 remaining, 1 required';
    const more = 'insufficient credits: 0 remaining, at least 1 required';
    const cases = [
      ['/v2/translate', detail],
      ['/v1/language_detect', detail],
      ['/v2/translate/batch', more],
      ['/v2/translate/email', more],
      ['/v2/translate/i18n', more],
    ] as const;
    for (const [path, detail] of cases) {
      const answer = await test.post(path, '{');
      expect([path, answer.status, await answer.json()]).toEqual([path, 402, { detail }]);
    }
    const { port } = await listenTo(test);
    const head = `POST /v2/translate HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${test.key}\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n`;
    expect(parseAnswer(await exchangeBytes(port, head))).toMatchObject({ status: 402, body: { detail } });
    // Subtitles may cost nothing.
    const empty = { format: 'vtt', content: 'WEBVTT\n', ...fr };
    expect((await test.post('/v2/translate/subtitles', empty)).status).toBe(200);
    expect((await test.ask('/v2/supported-languages')).status).toBe(200);
  });

  it('pay for exactly 100 of 150 requests that arrive at once', async () => {
    const { post, account } = await openApp({ creditsGranted: 100, options: { maxConcurrency: 150 } });
    const statuses = await Promise.all(
      Array.from({ length: 150 }, async () => (await post('/v2/translate', { text: 'Hello', ...fr })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 402)).toHaveLength(50);
    expect(await account()).toMatchObject({
      balance: 0,
      reserved: 0,
      requestsSuccessful: 100,
      requestsFailed: 50,
    });
  });

  it('are refunded when the client disconnects', async () => {
    const started = gate();
    const engine = scriptedEngine((_request, signal) => {
      started.open();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(interrupted())));
    });
    const { post, account } = await openApp({ engine });
    const controller = new AbortController();
    const answer = post('/v2/translate', { text: 'Hello', ...fr }, { signal: controller.signal });
    await started.opened;
    expect(await account()).toMatchObject({ balance: 1000, reserved: 1 });
    controller.abort();
    expect((await answer).status).toBe(503);
    expect(await account()).toMatchObject({ balance: 1000, reserved: 0, requestsFailed: 1 });
  });
});

describe('an account with plenty of credits', () => {
  const plenty = { creditsGranted: 10_000 };

  it('pays after the work', async () => {
    const hold = gate();
    const engine = scriptedEngine(() => hold.opened);
    const { post, account } = await openApp({ engine, ...plenty });
    const answer = post('/v2/translate', { text: 'Hello', ...fr });
    await until(() => engine.calls === 1);
    expect(await account()).toMatchObject({ balance: 10_000, reserved: 0 });
    hold.open();
    expect((await answer).status).toBe(200);
    expect(await account()).toMatchObject({ balance: 9_999, reserved: 0, requestsSuccessful: 1 });
  });

  it('pays nothing for failures, or after its client disconnects', async () => {
    const started = gate();
    const engine = scriptedEngine(({ texts }, signal) => {
      if (texts.includes('FAIL')) return Promise.resolve();
      started.open();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(interrupted())));
    });
    const { post, account } = await openApp({ engine, ...plenty });
    expect((await post('/v2/translate', { text: 'FAIL', ...fr })).status).toBe(500);
    const controller = new AbortController();
    const answer = post('/v2/translate', { text: 'Hello', ...fr }, { signal: controller.signal });
    await started.opened;
    controller.abort();
    expect((await answer).status).toBe(503);
    expect(await account()).toMatchObject({ balance: 10_000, reserved: 0, requestsFailed: 2 });
  });

  it('gets 402 for unaffordable requests, and can use its remaining credits', async () => {
    const hold = gate();
    const engine = scriptedEngine(() => hold.opened);
    const { post, account, store } = await openApp({ engine, ...plenty });
    const other = await store.register();
    onTestFinished(() => other.close());
    const answers = [1, 2, 3].map(() => post('/v2/translate', { text: 'Hello', ...fr }));
    await until(() => engine.calls === 3);
    // While three requests are in progress, a job reserves nearly all credits.
    const { id } = await account();
    await other.metering.reserve(id, 9_999);
    hold.open();
    const all = await Promise.all(answers);
    expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 402, 402]);
    const refused = all.find(({ status }) => status === 402);
    expect(await refused?.json()).toEqual({ detail: 'insufficient credits: 0 remaining, 1 required' });
    expect(await account()).toMatchObject({ balance: 9_999, requestsSuccessful: 1, requestsFailed: 2 });
  });
});

describe('the account summary', () => {
  it('has all fields; reserved credits do not count as remaining', async () => {
    const hold = gate();
    const engine = scriptedEngine(() => hold.opened);
    const { post, ask } = await openApp({ engine, creditsGranted: 8 });
    const running = post('/v2/translate/batch', { texts: ['One', 'Two'], ...fr });
    await until(() => engine.calls === 1);
    const summary = await ask('/v2/account/summary');
    expect(await summary.json()).toEqual({
      email: 'anna@example.org',
      full_name: 'Anna Schmidt',
      total_credits: 8,
      credits_used: 2,
      credits_remaining: 6,
      credits_percentage: 25,
      concurrency: 2,
      effective_concurrency: 64,
      summary: { total_requests: 0, successful_requests: 0, failed_requests: 0, success_rate: 0 },
    });
    hold.open();
    await running;
    await post('/v2/translate', '{');
    expect(await (await ask('/v2/account/summary')).json()).toMatchObject({
      credits_used: 2,
      concurrency: 1,
      summary: { total_requests: 3, successful_requests: 2, failed_requests: 1, success_rate: 66.67 },
    });
  });
});

describe('the rate limit', () => {
  it('refuses request n + 1 of a window, and states when to retry', async () => {
    let time = 1_000_000_500;
    const { post, ask } = await openApp({ rateLimit: 2, now: () => time });
    const first = await ask('/v2/account/summary');
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': '1000061',
    });
    time += 20_000;
    // A request that fails counts, too.
    expect((await post('/v2/translate', '{')).headers.get('x-ratelimit-remaining')).toBe('0');
    const refused = await ask('/v2/account/summary');
    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'retry-after': '40',
    });
    expect(await refused.json()).toEqual({
      detail: 'rate limit exceeded: 3 requests made, the maximum is 2 per minute; try again in 40 seconds',
    });
    time += 39_999;
    expect((await ask('/v2/account/summary')).headers.get('retry-after')).toBe('1');
    time += 1;
    expect((await ask('/v2/account/summary')).status).toBe(200);
  });

  it('is checked after the key and before the body', async () => {
    const { post, ask } = await openApp({ rateLimit: 1 });
    await ask('/v2/account/summary');
    const stranger = await post('/v2/translate', '{', { headers: { 'X-API-KEY': 'drg_unknown' } });
    expect(stranger.status).toBe(403);
    expect(stranger.headers.has('x-ratelimit-limit')).toBe(false);
    expect((await post('/v2/translate', '{')).status).toBe(429);
  });

  it('has headers with unreachable numbers if there is no limit', async () => {
    const { ask } = await openApp({ rateLimit: 0 });
    const { headers } = await ask('/v2/account/summary');
    expect(headers.get('x-ratelimit-limit')).toBe(String(2 ** 31 - 1));
    expect(headers.get('x-ratelimit-remaining')).toBe(String(2 ** 31 - 1));
  });
});

describe('concurrency', () => {
  it('of a key is bounded, and available again afterwards', async () => {
    const hold = gate();
    const engine = scriptedEngine(() => hold.opened);
    const { post, ask, account } = await openApp({ engine, options: { maxConcurrency: 2 } });
    const running = [1, 2].map(() => post('/v2/translate', { text: 'Hello', ...fr }));
    await until(() => engine.calls === 2);
    const refused = await ask('/v2/account/summary');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toEqual({
      detail: 'too many requests of this key are in progress; try again later',
    });
    hold.open();
    for (const answer of running) expect((await answer).status).toBe(200);
    expect((await ask('/v2/account/summary')).status).toBe(200);
    expect((await account()).balance).toBe(998);
  });

  it('is bounded by the limit of its account', async () => {
    const hold = gate();
    const engine = scriptedEngine(() => hold.opened);
    const { store, post, ask } = await openApp({ engine, options: { maxConcurrency: 2 } });
    await store.accounts.limit('anna@example.org', { concurrency: 1 });
    const running = post('/v2/translate', { text: 'Hello', ...fr });
    await until(() => engine.calls === 1);
    expect((await ask('/v2/account/summary')).status).toBe(429);
    hold.open();
    expect((await running).status).toBe(200);
    const summary = await ask('/v2/account/summary');
    expect(await summary.json()).toMatchObject({ effective_concurrency: 1 });
  });
});

describe('malformed documents', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '</',
      '>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&#xD800;',
      '&',
      '"',
      '{',
      '}',
      '{a, plural,',
    ),
    fc.constantFrom(
      '<table>',
      '<p>',
      '</b>',
      '<svg>',
      '<script>',
      '<template>',
      '<select>',
      '<plaintext>',
      '<br/>',
    ),
    fc.string({ unit: codePoint, maxLength: 5 }),
    fc.constantFrom('\0', '\ufeff', '\u2028', '\ud800', 'word'),
  );

  it('are translated, or refused with 400 for free', async () => {
    const { post, account } = await openApp({ creditsGranted: 100_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 30 }), async (pieces) => {
        const markup = pieces.join('');
        for (const [path, body] of [
          ['/v2/translate/html', { html: markup }],
          ['/v2/translate/email', { subject: 'Hello', email_body: markup }],
          ['/v2/translate/email', { subject: markup, email_body: '<p>Hello</p>' }],
        ] as const) {
          const before = (await account()).balance;
          const answer = await post(path, { ...body, ...fr });
          expect([200, 400], JSON.stringify([path, markup, await answer.clone().text()])).toContain(
            answer.status,
          );
          if (answer.status === 400) expect((await account()).balance).toBe(before);
        }
      }),
      { numRuns: 100 },
    );
    const deep = await post('/v2/translate/html', { html: '<b>'.repeat(10_000), ...fr });
    expect([deep.status, await deep.json()]).toEqual([400, { detail: 'elements nest deeper than 512' }]);
  });
});

describe('simulated failures', () => {
  it('are free and end when used up', async () => {
    const { post, account } = await openApp({
      faults: parseFaults(['429:1', '500:1', '503:1']),
      rateLimit: 60,
    });
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await post('/v2/translate', { text: 'Hello', ...fr }));
    expect(answers.map(({ status }) => status)).toEqual([429, 500, 503, 200]);
    expect(answers[0]?.headers.get('retry-after')).toBe('1');
    expect(answers[0]?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(answers[2]?.headers.get('retry-after')).toBe('1');
    for (const answer of answers.slice(0, 3)) {
      expect(await answer.json()).toEqual({ detail: expect.stringContaining('--fault') as string });
    }
    expect(await account()).toMatchObject({
      balance: 999,
      reserved: 0,
      requestsSuccessful: 1,
      requestsFailed: 3,
    });
  });
});
