import { expect } from 'vitest';
import { jsonOperations } from './account-endpoints.ts';
import { expectError } from './answer.ts';
import { JOBS, type Client } from './client.ts';
import { PARTLY } from './job-resources.ts';
import type { Row, Section } from './row.ts';

const pair = { source: 'en', target: 'fr' };

/** The price of an operation, computed from the account summary before and after it. */
function costs(says: string, expected: number, path: string, body: object, status = 200): Row {
  return [
    says,
    async (server) => {
      const client = await server.newClient();
      const spent = await client.spent(async () =>
        expect((await client.post(path, body)).status).toBe(status),
      );
      expect(spent).toBe(expected);
    },
  ];
}

const email = (email_body: string): object => ({ subject: 'Hello', email_body, ...pair });
const cue = (i: number, text: string): string => `${i}\n00:00:0${i},000 --> 00:00:0${i},500\n${text}\n`;
const srt = (...blocks: readonly string[]): object => ({
  format: 'srt',
  content: blocks.map((text, i) => cue(i + 1, text)).join('\n'),
  ...pair,
});

const EMAIL = '/v2/translate/email';
const SUBTITLES = '/v2/translate/subtitles';
const BATCH = '/v2/translate/batch';

export const creditRows: Section = {
  title: 'Credits per operation',
  rows: [
    costs('translate: 1 per request', 1, '/v2/translate', { text: 'Hello. Goodbye. And so on.', ...pair }),
    costs('HTML: 1 per request, however many texts it has', 1, '/v2/translate/html', {
      html: '<p>One</p><p>Two</p><p>Three</p>',
      ...pair,
    }),
    costs('language detect: 1 per request', 1, '/v2/language_detect', {
      text: 'Where is the railway station?',
    }),
    costs('v1 translate: 1 per request', 1, '/v1/translate', { text: 'Hello', ...pair }),
    costs('v1 language detect: 1 per request', 1, '/v1/language_detect', { text: 'Where is the station?' }),
    costs('batch: 1 per text', 7, BATCH, {
      texts: ['1 a', '2 b', '3 c', '4 d', '5 e', '6 f', '7 g'],
      ...pair,
    }),
    costs('batch: 1 per text, also for texts that are the same', 3, BATCH, {
      texts: ['a', 'a', 'a'],
      ...pair,
    }),
    costs(
      'e-mail: 1 for the subject and 1 per text node of the body',
      4,
      EMAIL,
      email('<p>One <b>two</b> three</p>'),
    ),
    costs(
      'e-mail: every run of text between two tags is a node',
      6,
      EMAIL,
      email('a<br>b<i>c</i><!-- no node -->d<ul><li>e</li></ul>'),
    ),
    costs(
      'e-mail: nodes of white space cost nothing (design)',
      3,
      EMAIL,
      email('<p> One </p>\n\n<p>\t</p> <p>Two</p>&nbsp;'),
    ),
    costs('e-mail: a body without text costs the subject only', 1, EMAIL, email('<p></p><img src="a.png">')),
    costs(
      'e-mail: the content of script and style is not a text node',
      2,
      EMAIL,
      email('<style>p {}</style><script>a()</script><p>One</p>'),
    ),
    costs('subtitles: 1 per block', 3, SUBTITLES, srt('One', 'Two', 'Three')),
    costs('subtitles: a block of two lines is one', 2, SUBTITLES, srt('One\nand a half', 'Two')),
    costs('a batch that fails in part costs what succeeded (design)', 2, BATCH, {
      texts: ['One', 'FAIL', 'Three'],
      ...pair,
    }),
    costs('an e-mail that fails in part costs what succeeded', 2, EMAIL, email('<p>One</p><p>FAIL</p>')),
    costs('subtitles that fail in part cost what succeeded', 1, SUBTITLES, srt('One.', 'FAIL.')),
    costs('a translation that fails costs nothing', 0, '/v2/translate', { text: 'FAIL', ...pair }, 500),
    costs('a batch of which everything fails costs nothing', 0, BATCH, {
      texts: ['FAIL', 'FAIL 2'],
      ...pair,
    }),
    costs('HTML that fails costs nothing', 0, '/v2/translate/html', { html: '<p>FAIL</p>', ...pair }, 500),
    [
      'an invalid request costs nothing, whatever it requests',
      async (server) => {
        const client = await server.newClient();
        const spent = await client.spent(async () => {
          for (const [path, body] of Object.entries(jsonOperations)) {
            expect((await client.post(path, { ...body, [Object.keys(body)[0] ?? '']: 7 })).status).toBe(400);
          }
        });
        expect(spent).toBe(0);
      },
    ],
    [
      'jobs: 1 per key and language, reserved at creation (design)',
      async (server) => {
        const client = await server.newClient({ credits: 10 });
        const release = server.hold();
        const id = await client.createJob({
          content: '{"a": "HOLD", "b": "Hello"}',
          target_languages: 'fr,de,es',
        });
        expect(await client.summary()).toMatchObject({ credits_used: 6, credits_remaining: 4 });
        release();
        await server.ended(id);
        expect(await client.summary()).toMatchObject({ credits_used: 6, credits_remaining: 4 });
      },
    ],
    [
      'jobs: the credits of failed keys are refunded (design)',
      async (server) => {
        const client = await server.newClient({ credits: 10 });
        const id = await client.createJob({ content: PARTLY, target_languages: 'fr,de' });
        await server.ended(id);
        expect(await client.summary()).toMatchObject({ credits_used: 4, credits_remaining: 6 });
      },
    ],
    [
      'jobs: without enough credits, creation fails with 402 and creates no job',
      async (server) => {
        const client = await server.newClient({ credits: 5 });
        const answer = await client.upload({ content: PARTLY, target_languages: 'fr,de' });
        expectError(answer, 402, 'insufficient credits: 5 remaining, 6 required');
        expect((await client.get(JOBS)).json).toEqual([]);
        expect(await client.summary()).toMatchObject({ credits_remaining: 5 });
      },
    ],
    [
      'everything else costs nothing',
      async (server) => {
        const client = await server.newClient({ credits: 2 });
        const id = await client.createJob();
        await server.ended(id);
        const free = ['/v2/supported-languages', '/v1/supported-languages', '/v2/account/summary', JOBS];
        for (const path of [...free, `${JOBS}/${id}/status`, `${JOBS}/${id}/download?language_code=fr`]) {
          expect([path, (await client.get(path)).status]).toEqual([path, 200]);
        }
        expect((await client.remove(id)).status).toBe(200);
        expect(await client.summary()).toMatchObject({ credits_used: 2, credits_remaining: 0 });
      },
    ],
    [
      'every operation fails with 402 if the account has one credit less than the operation costs',
      async (server) => {
        const needs: Readonly<Record<string, number>> = { [BATCH]: 3, [EMAIL]: 3, [SUBTITLES]: 2 };
        for (const [path, body] of Object.entries(jsonOperations)) {
          const required = needs[path] ?? 1;
          const client: Client = await server.newClient({ credits: required - 1 });
          const detail = `insufficient credits: ${required - 1} remaining, ${required} required`;
          expectError(await client.post(path, body), 402, detail);
        }
      },
    ],
  ],
};
