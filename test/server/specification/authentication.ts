import { get as getSecurely } from 'node:https';
import { Hono } from 'hono';
import { expect } from 'vitest';
import { listenerOptions } from '../../../src/cli/commands/serve/listening.ts';
import { listen } from '../../../src/server/http/listener.ts';
import type { AppEnvironment } from '../../../src/server/http/dependencies.ts';
import { exchangeBytes, parseAnswer } from '../harness.ts';
import { keyedEndpoints } from './account-endpoints.ts';
import { expectError } from './answer.ts';
import { CREATE, JOBS, type Client } from './client.ts';
import type { Section } from './row.ts';

const SUMMARY = '/v2/account/summary';

/** Operations where a missing key gets 401; others return 403 (design). */
const LISTS = [`POST ${CREATE}`, `GET ${JOBS}`, `DELETE ${JOBS}`, 'GET /v2/', 'GET /v1/'];
const missingStatus = (name: string): number => (LISTS.some((start) => name.startsWith(start)) ? 401 : 403);

/** A request whose header lines are sent as written. */
async function rawSummary(
  port: number,
  ...lines: readonly string[]
): Promise<ReturnType<typeof parseAnswer>> {
  const head = [`GET ${SUMMARY} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines];
  return parseAnswer(await exchangeBytes(port, `${head.join('\r\n')}\r\n\r\n`));
}

async function eachEndpoint(
  check: (name: string, ask: (client: Client) => ReturnType<Client['get']>) => Promise<void>,
) {
  for (const [name, ask] of Object.entries(keyedEndpoints)) await check(name, ask);
}

export const authenticationRows: Section = {
  title: 'Authentication',
  rows: [
    [
      '1: every endpoint except health takes the key from X-API-KEY',
      async (server) => {
        const client = await server.newClient();
        await eachEndpoint(async (name, ask) => {
          expect([name, [401, 403].includes((await ask(client)).status)]).toEqual([name, false]);
        });
        expect((await client.send('/health', { headers: { 'X-API-KEY': '' } })).status).toBe(200);
      },
    ],
    [
      '1: the name of the header is case-sensitive',
      async (server) => {
        const { key } = await server.newClient();
        expect((await rawSummary(server.port, `X-API-KEY: ${key}`)).status).toBe(200);
        for (const name of ['x-api-key', 'X-Api-Key', 'X-API-Key', 'X-API_KEY', 'Authorization']) {
          const answer = await rawSummary(server.port, `${name}: ${key}`);
          expect([name, answer.status]).toEqual([name, 401]);
          const detail: unknown = expect.stringMatching(/^the X-API-KEY header is required/);
          expect(answer.body).toEqual({ detail });
        }
      },
    ],
    [
      '1: spaces that belong to the key make it invalid; those that HTTP puts around any value do not belong to it',
      async (server) => {
        const client = await server.newClient();
        for (const key of [
          `\u00a0${client.key}`,
          `${client.key}\u00a0`,
          `${client.key.slice(0, 9)} ${client.key.slice(9)}`,
        ]) {
          expectError(await client.with({ key }).get('/v2/supported-languages'), 403, /key is invalid/);
        }
        expect((await rawSummary(server.port, `X-API-KEY: \t ${client.key} \t`)).status).toBe(200);
      },
    ],
    [
      '1: a request with two keys has no valid key',
      async (server) => {
        const { key } = await server.newClient();
        const answer = await rawSummary(server.port, `X-API-KEY: ${key}`, `X-API-KEY: ${key}`);
        expect(answer.status).toBe(401);
      },
    ],
    [
      '1: a key in the query or in another header does not count',
      async (server) => {
        const client = await server.newClient();
        const nobody = client.with({ key: '' });
        expect((await nobody.get(`${SUMMARY}?X-API-KEY=${client.key}`)).status).toBe(401);
        const headers = { 'X-API-KEY': '', Authorization: `Bearer ${client.key}` };
        expect((await client.send(SUMMARY, { headers })).status).toBe(401);
      },
    ],
    [
      '2: a key gives full access to the resources of its account, and to no others',
      async (server) => {
        const [owner, other] = [await server.newClient(), await server.newClient()];
        const id = await owner.createJob();
        await server.ended(id);
        const paths = [`${JOBS}/${id}/status`, `${JOBS}/${id}/download?language_code=fr`];
        for (const path of paths) {
          expect((await owner.get(path)).status).toBe(200);
          expect((await other.get(path)).status).toBe(404);
        }
        expect((await other.get(JOBS)).json).toEqual([]);
        expect((await other.remove(id)).status).toBe(404);
        expect((await owner.remove(id)).status).toBe(200);
      },
    ],
    [
      '3: a reset gives a new key and invalidates the old one from that moment; jobs and credits stay',
      async (server) => {
        const old = await server.newClient({ credits: 50 });
        const id = await old.createJob();
        await server.ended(id);
        const fresh = old.with({ key: await server.store.accounts.resetKey(old.email) });
        await eachEndpoint(async (name, ask) => {
          expectError(await ask(old), 403, 'the API key was revoked or has expired and is no longer valid');
          expect([name, [401, 403].includes((await ask(fresh)).status)]).toEqual([name, false]);
        });
        expect(await fresh.status(id)).toMatchObject({ status: 'completed' });
        expect(await fresh.summary()).toMatchObject({ email: old.email, total_credits: 50 });
      },
    ],
    [
      '4: only HTTPS is used: a server with a certificate speaks nothing else, and other machines require it (design)',
      async ({ certificate }) => {
        const app = new Hono<AppEnvironment>().get('/', (context) => context.text('ok'));
        const listener = await listen(app, { host: '127.0.0.1', port: 0, tls: certificate });
        try {
          expect(listener.url).toMatch(/^https:/);
          const answered = new Promise((resolve, reject) => {
            getSecurely(listener.url, { ca: certificate.cert, agent: false }, (answer) => {
              resolve(answer.statusCode);
              answer.resume();
            }).on('error', reject);
          });
          expect(await answered).toBe(200);
          const port = Number(new URL(listener.url).port);
          expect(await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).not.toContain('200 OK');
        } finally {
          await listener.close(0);
        }
        const flags = { host: '0.0.0.0', port: 0 };
        const terminal = { cwd: '/' } as Parameters<typeof listenerOptions>[1];
        await expect(listenerOptions(flags, terminal)).rejects.toMatchObject({ code: 'usage' });
      },
    ],
    [
      '5: rate limits are counted per key',
      async (server) => {
        const [anna, bert] = [await server.newClient(), await server.newClient()];
        await anna.fillWindow();
        expect((await anna.get(SUMMARY)).status).toBe(429);
        expect((await bert.get(SUMMARY)).headers['x-ratelimit-remaining']).toBe('59');
        const fresh = anna.with({ key: await server.store.accounts.resetKey(anna.email) });
        expect((await fresh.get(SUMMARY)).headers['x-ratelimit-remaining']).toBe('59');
      },
    ],
    [
      '6: a missing key is 401 on lists, jobs and the account and 403 elsewhere; detail says that the header is required',
      async (server) => {
        const nobody = (await server.newClient()).with({ key: '' });
        await eachEndpoint(async (name, ask) => {
          const answer = await ask(nobody);
          expect([name, answer.status]).toEqual([name, missingStatus(name)]);
          expectError(answer, answer.status, 'the X-API-KEY header is required');
        });
      },
    ],
    [
      '7: an invalid key is 401 on the account and 403 elsewhere; detail says that the key is invalid',
      async (server) => {
        const client = await server.newClient();
        for (const key of [
          'drg_nobody',
          `${client.key}x`,
          client.key.slice(0, -1),
          client.key.toLowerCase(),
          'x'.repeat(4_000),
        ]) {
          await eachEndpoint(async (name, ask) => {
            const answer = await ask(client.with({ key }));
            expect([name, answer.status]).toEqual([name, name === `GET ${SUMMARY}` ? 401 : 403]);
            expectError(answer, answer.status, 'the API key is invalid');
          });
        }
      },
    ],
    [
      '8: a revoked key is 403 everywhere; detail says so',
      async (server) => {
        const client = await server.newClient();
        await server.store.accounts.revokeKeys(client.email);
        await eachEndpoint(async (_name, ask) => {
          expectError(
            await ask(client),
            403,
            'the API key was revoked or has expired and is no longer valid',
          );
        });
      },
    ],
    [
      '10: a key does not expire by itself (design)',
      async (server) => {
        const client = await server.newClient();
        expect((await client.get(SUMMARY)).status).toBe(200);
        server.clock.advance(10 * 365 * 24 * 3_600_000);
        expect((await client.get(SUMMARY)).status).toBe(200);
      },
    ],
    [
      'no answer and no log line ever contains a key',
      async (server) => {
        const client = await server.newClient();
        const other = client.with({ key: 'drg_a-key-that-nobody-has' });
        await eachEndpoint(async (_name, ask) => {
          for (const caller of [client, other]) {
            const { text, headers } = await ask(caller);
            expect(text + JSON.stringify(headers)).not.toContain(caller.key);
          }
        });
        expect(server.log()).toContain('"route"');
        for (const { key } of [client, other]) expect(server.log()).not.toContain(key);
      },
    ],
  ],
};
