import { expect } from 'vitest';
import { eventually } from '../../webhooks/eventually.ts';
import { expectError } from './answer.ts';
import { type Client } from './client.ts';
import type { Row, Section } from './row.ts';

const pair = { source: 'en', target: 'fr' };
const ASTRAL = '👍';

/** A text of this many code points: letters, or characters of two UTF-16 units. */
const letters = (count: number): string => 'Ab '.repeat(Math.ceil(count / 3)).slice(0, count);
const astral = (count: number): string => ASTRAL.repeat(count);

interface Bounded {
  readonly path: string;
  readonly field: string;
  readonly max: number;
  /** The rest of the body. */
  readonly rest?: object;
  /** Written around the text, and counted as part of its length. */
  readonly wrap?: readonly [string, string];
}

/** Checks a field with 1 code point, at its limit and one code point beyond. */
function boundedField({
  path,
  field,
  max,
  rest = {},
  wrap: [before, after] = ['', ''],
}: Bounded): readonly Row[] {
  const around = before.length + after.length;
  const ask = (client: Client, text: string): ReturnType<Client['get']> =>
    client.post(path, { ...rest, [field]: text });
  const fill = (make: (count: number) => string, count: number): string =>
    before + make(count - around) + after;
  const limit = max.toLocaleString('en');
  return [
    [
      `${path}: ${field} of 0 characters is refused, of 1 accepted`,
      async (server) => {
        const client = await server.newClient();
        expectError(await ask(client, ''), 400, new RegExp(`${field} cannot be empty$`));
        expect((await ask(client, 'a')).status).toBe(200);
      },
    ],
    [
      `${path}: ${field} of ${limit} characters is accepted, of one more refused`,
      async (server) => {
        const client = await server.newClient();
        expect((await ask(client, fill(letters, max))).status).toBe(200);
        const refused = await ask(client, fill(letters, max + 1));
        expectError(refused, 400, new RegExp(`${field} cannot be longer than ${limit} characters$`));
        expect((await client.requests())['failed_requests']).toBe(1);
      },
    ],
    [
      `${path}: the ${limit} characters of ${field} are code points, whatever they are made of`,
      async (server) => {
        const client = await server.newClient();
        const longest = fill(astral, max);
        expect(longest.length).toBe(2 * max - around);
        expect((await ask(client, longest)).status).toBe(200);
        expectError(await ask(client, fill(astral, max + 1)), 400, /cannot be longer/);
      },
    ],
  ];
}

const RATE = '/v2/supported-languages';
const MIB_10 = 10 * 1024 * 1024;

/** A JSON file of exactly this many bytes: one key, and white space. */
function fileOf(bytes: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(bytes).fill(0x20);
  file.set(Buffer.from('{"a": "Hello"}'));
  return file;
}

const texts = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `Text ${i}`);

async function codes(client: Client, count: number): Promise<string> {
  const { supported_languages: languages } = (await client.get(RATE)).object();
  const all = Object.values(languages as Readonly<Record<string, string>>).filter((code) => code !== 'auto');
  return all.slice(0, count).join(',');
}

export const limitRows: Section = {
  title: 'Limits',
  rows: [
    [
      '60 requests per minute and key: the 60th is served, and the 61st is refused',
      async (server) => {
        const client = await server.newClient();
        const statuses: number[] = [];
        for (let i = 1; i <= 61; i++) statuses.push((await client.get(RATE)).status);
        expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
      },
    ],
    [
      'no more than 60 concurrent requests are served, either',
      async (server) => {
        const client = await server.newClient();
        const answers = await Promise.all(Array.from({ length: 90 }, () => client.get(RATE)));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
      },
    ],
    [
      'the window is fixed: it ends 60 seconds after its first request, and not earlier',
      async (server) => {
        const client = await server.newClient();
        await client.get(RATE);
        server.clock.advance(59_000);
        for (let i = 2; i <= 60; i++) await client.get(RATE);
        server.clock.advance(999);
        const refused = await client.get(RATE);
        expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
        server.clock.advance(1);
        const served = await client.get(RATE);
        expect([served.status, served.headers['x-ratelimit-remaining']]).toEqual([200, '59']);
      },
    ],
    [
      'failed requests count too, even those that are refused because of the limit',
      async (server) => {
        const client = await server.newClient();
        await client.post('/v2/translate', '{');
        expect((await client.get(RATE)).headers['x-ratelimit-remaining']).toBe('58');
        await client.fillWindow();
        expectError(await client.get(RATE), 429, /^rate limit exceeded: 63 requests made/);
      },
    ],
    [
      'X-RateLimit-Limit is the maximum of a window',
      async (server) => {
        const client = await server.newClient();
        expect((await client.get(RATE)).headers['x-ratelimit-limit']).toBe('60');
      },
    ],
    [
      'X-RateLimit-Remaining is the number of requests that remain in the window',
      async (server) => {
        const client = await server.newClient();
        for (const remaining of ['59', '58', '57']) {
          expect((await client.get(RATE)).headers['x-ratelimit-remaining']).toBe(remaining);
        }
        await client.fillWindow();
        expect((await client.get(RATE)).headers['x-ratelimit-remaining']).toBe('0');
      },
    ],
    [
      'X-RateLimit-Reset is the time at which the window resets, in seconds since the epoch',
      async (server) => {
        const client = await server.newClient();
        const reset = String(Math.ceil((server.clock.now() + 60_000) / 1000));
        expect((await client.get(RATE)).headers['x-ratelimit-reset']).toBe(reset);
        server.clock.advance(30_000);
        expect((await client.get(RATE)).headers['x-ratelimit-reset']).toBe(reset);
      },
    ],
    [
      'every answer to a request with a key has the headers, after success and failure',
      async (server) => {
        const client = await server.newClient({ credits: 1 });
        const answers = [
          await client.get(RATE),
          await client.post('/v2/translate/batch', { texts: ['a', 'b'], source: 'en', target: 'fr' }),
          await client.post('/v2/translate', '{'),
          await client.post('/v2/translate', {}),
          await client.upload({ filename: 'a.txt' }),
          await client.download('nonsense'),
          await client.send('/v2/translate', { method: 'POST', body: 'x' }),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 402, 400, 400, 400, 404, 415]);
        expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(
          answers.map((_, i) => String(59 - i)),
        );
      },
    ],
    [
      'effective_concurrency: at most this many requests of a key are in progress at once; the next one gets 429 with a message to retry later',
      async (server) => {
        const client = await server.newClient();
        // Each server counts separately, but the processes of one server count together.
        const limit = Number((await client.summary())['effective_concurrency']) * server.counters;
        const release = server.hold();
        const held: Promise<unknown>[] = [];
        for (let i = 1; i <= limit; i++) {
          if (i % 50 === 0) server.clock.advance(60_000);
          held.push(client.translate({ text: `HOLD ${i}` }));
          await eventually(() => server.held()).toBe(i);
        }
        const refused = await client.translate();
        release();
        expectError(refused, 429, /^too many requests .* try again later$/);
        expect(refused.headers['retry-after']).toBe('1');
        await Promise.all(held);
        expect(await client.summary()).toMatchObject({ credits_used: limit, concurrency: 1 });
      },
    ],
    ...boundedField({ path: '/v2/translate', field: 'text', max: 5_000, rest: pair }),
    ...boundedField({ path: '/v1/translate', field: 'text', max: 5_000, rest: pair }),
    [
      '/v2/language_detect: text of 5,000 characters is accepted, of one more refused',
      async (server) => {
        const client = await server.newClient();
        const text = `Where is the railway station? ${letters(5_000)}`.slice(0, 5_000);
        expect((await client.post('/v2/language_detect', { text })).status).toBe(200);
        const refused = await client.post('/v2/language_detect', { text: `${text}a` });
        expectError(refused, 400, 'text cannot be longer than 5,000 characters');
        const emoji = `Where is the railway station? ${astral(4_970)}`;
        expect((await client.post('/v2/language_detect', { text: emoji })).status).toBe(200);
        expect((await client.post('/v2/language_detect', { text: emoji + ASTRAL })).status).toBe(400);
      },
    ],
    [
      'texts: 1 and 100 entries are accepted, 0 and 101 are refused',
      async (server) => {
        const client = await server.newClient();
        const ask = (count: number) => client.post('/v2/translate/batch', { texts: texts(count), ...pair });
        expectError(await ask(0), 400, 'texts must have at least one entry');
        expect((await ask(1)).object()).toMatchObject({ total: 1 });
        expect((await ask(100)).object()).toMatchObject({ total: 100, successful: 100 });
        expectError(await ask(101), 400, 'texts cannot have more than 100 entries');
      },
    ],
    ...boundedField({
      path: '/v2/translate/html',
      field: 'html',
      max: 50_000,
      rest: pair,
      wrap: ['<p>', '</p>'],
    }),
    ...boundedField({
      path: '/v2/translate/email',
      field: 'subject',
      max: 5_000,
      rest: { email_body: '<p>Hello</p>', ...pair },
    }),
    ...boundedField({
      path: '/v2/translate/email',
      field: 'email_body',
      max: 150_000,
      rest: { subject: 'Hello', ...pair },
      wrap: ['<p>', '</p>'],
    }),
    [
      'file of 10 MB: 10,000,000 bytes are accepted',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob({ content: fileOf(10_000_000) });
        await server.ended(id);
        expect((await client.download(id)).bytes.length).toBeGreaterThanOrEqual(10_000_000);
      },
    ],
    [
      'file of 10 MB: 10 MiB are accepted, one byte more is refused with 413 (design)',
      async (server) => {
        const client = await server.newClient();
        expect((await client.upload({ content: fileOf(MIB_10) })).status).toBe(201);
        expectError(
          await client.upload({ content: fileOf(MIB_10 + 1) }),
          413,
          /cannot be larger than 10,485,760 bytes/,
        );
      },
    ],
    [
      'target_languages: 1 and 50 are accepted, 51 are refused',
      async (server) => {
        const client = await server.newClient();
        for (const count of [1, 50]) {
          const created = await client.upload({ target_languages: await codes(client, count) });
          const { target_languages: targets } = await client.status(String(created.object(201)['job_id']));
          expect(targets).toHaveLength(count);
        }
        const refused = await client.upload({ target_languages: await codes(client, 51) });
        expectError(refused, 400, 'target_languages cannot have more than 50 languages');
      },
    ],
  ],
};
