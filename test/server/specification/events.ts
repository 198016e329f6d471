import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import * as v from 'valibot';
import { webhookPayload } from '../../../src/contract/jobs.ts';
import {
  certificateFor,
  startReceiver,
  status,
  type Answer,
  type Received,
  type Receiver,
} from '../../webhooks/receiver.ts';
import { expectNames, fieldsOf, listOf, type Fields } from './answer.ts';
import type { Client, Form } from './client.ts';
import { FILE_FIELDS, ISO_8601, JOB_FIELDS, PARTLY, UUID } from './job-resources.ts';
import type { Row, Section } from './row.ts';
import type { SpecifiedServer } from './server.ts';
import { eventually } from '../../webhooks/eventually.ts';

interface Delivered {
  readonly client: Client;
  readonly id: string;
  readonly received: Received;
  readonly payload: Fields;
}

function receiverOf({ certificate }: SpecifiedServer, answer: Answer = status(200)): Promise<Receiver> {
  return startReceiver(answer, { certificate });
}

/** A job with a webhook that has ended and been delivered. */
async function deliver(server: SpecifiedServer, form: Form = {}, answer?: Answer): Promise<Delivered> {
  const receiver = await receiverOf(server, answer);
  const client = await server.newClient();
  const id = await client.createJob({ webhook_url: receiver.url, ...form });
  const received = await nth(receiver, 1);
  return { client, id, received, payload: fieldsOf(JSON.parse(received.body.toString())) };
}

async function nth({ received }: Receiver, count: number): Promise<Received> {
  await eventually(() => received.length).toBeGreaterThanOrEqual(count);
  const one = received[count - 1];
  if (!one) throw new Error('nothing was received');
  return one;
}

/** The only delivery of a job, as stored when an attempt has ended. */
async function delivery({ database }: SpecifiedServer, jobId: string, attempts: number) {
  const find = () =>
    database.sql
      .selectFrom('webhook_deliveries')
      .select(['status', 'attempts', 'instance_id', 'next_attempt_at', 'last_error'])
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow();
  // An attempt takes ten seconds at most.
  await expect.poll(find, { interval: 10, timeout: 45_000 }).toMatchObject({ attempts, instance_id: null });
  return find();
}

/** Fails every attempt, and returns the waits between the attempts. */
async function waitsOf(server: SpecifiedServer, id: string): Promise<{ waits: number[]; status: string }> {
  const waits: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const row = await delivery(server, id, attempt);
    if (row.status !== 'pending') return { waits, status: row.status };
    const wait = row.next_attempt_at - server.webhookTime.now();
    waits.push(wait);
    server.webhookTime.elapse(wait);
  }
}

const onPayload =
  (check: (delivered: Delivered) => void, form: Form = {}): Row[1] =>
  async (server) =>
    check(await deliver(server, form));

export const eventRows: Section = {
  title: 'Events',
  rows: [
    ...(['completed', 'partial', 'failed'] as const).map((final): Row => [
      `one event is sent when a job finishes with ${final}`,
      async (server) => {
        const content = { completed: '{"a": "Hello"}', partial: PARTLY, failed: '{"a": "FAIL"}' }[final];
        const { payload } = await deliver(server, { content });
        expect(payload).toMatchObject({ event: 'i18n_translation.completed', status: final });
      },
    ]),
    [
      'nothing is sent if the job was created without a webhook_url',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob();
        await server.ended(id);
        const rows = await server.database.sql
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('job_id', '=', id)
          .execute();
        expect(rows).toEqual([]);
      },
    ],
    [
      'nothing is sent for a job that was deleted before its end',
      async (server) => {
        const receiver = await receiverOf(server);
        const client = await server.newClient();
        const release = server.hold();
        const id = await client.createJob({ content: '{"a": "HOLD"}', webhook_url: receiver.url });
        await server.begun(id);
        expect((await client.remove(id)).status).toBe(200);
        release();
        const next = await client.createJob({ webhook_url: receiver.url });
        const { body } = await nth(receiver, 1);
        expect(JSON.parse(body.toString())).toMatchObject({ job_id: next });
        expect(receiver.received).toHaveLength(1);
      },
    ],
  ],
};

export const deliveryRows: Section = {
  title: 'Delivery',
  rows: [
    [
      'POST to the given URL, over HTTPS, with a JSON body',
      async (server) => {
        const { received } = await deliver(server);
        expect([received.method, received.path]).toEqual(['POST', '/hook']);
        expect(received.protocol).toMatch(/^TLSv1\.[23]$/);
        expect(received.headers['content-type']).toMatch(/^application\/json\b/);
        expect(Number(received.headers['content-length'])).toBe(received.body.length);
      },
    ],
    [
      'the request is signed with the account’s secret, so that a receiver can identify the sender (design)',
      async (server) => {
        const { client, received } = await deliver(server);
        const { webhook_secret: secret } = await server.database.sql
          .selectFrom('accounts')
          .select('webhook_secret')
          .where('id', '=', client.accountId)
          .executeTakeFirstOrThrow();
        const {
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signature,
        } = received.headers;
        const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
        const signed = createHmac('sha256', key)
          .update(`${String(id)}.${String(timestamp)}.`)
          .update(received.body);
        expect(signature).toBe(`v1,${signed.digest('base64')}`);
      },
    ],
    [
      'nothing is sent to a receiver whose certificate is not trusted (design)',
      async (server) => {
        const receiver = await startReceiver(status(200), { certificate: await certificateFor('localhost') });
        const client = await server.newClient();
        const id = await client.createJob({ webhook_url: receiver.url });
        expect(await delivery(server, id, 1)).toMatchObject({
          status: 'pending',
          last_error: expect.stringMatching(/certificate/),
        });
        expect(receiver.received).toEqual([]);
      },
    ],
    ...[200, 202, 204, 299].map((code): Row => [
      `${code} acknowledges`,
      async (server) => {
        const { id } = await deliver(server, {}, status(code));
        expect((await delivery(server, id, 1)).status).toBe('delivered');
      },
    ]),
    ...[300, 302, 307, 400, 401, 404, 410, 429, 500, 503].map((code): Row => [
      `${code} does not acknowledge`,
      async (server) => {
        const { id } = await deliver(server, {}, (response) => {
          response.writeHead(code, { location: '/elsewhere' });
          response.end();
        });
        expect(await delivery(server, id, 1)).toMatchObject({
          // The receiver is gone: it is not called again.
          status: code === 410 ? 'failed' : 'pending',
          last_error: expect.stringContaining(String(code)),
        });
      },
    ]),
    [
      'a redirect is not followed (design)',
      async (server) => {
        const receiver = await receiverOf(server, (response) => {
          response.writeHead(308, { location: '/elsewhere' });
          response.end();
        });
        const client = await server.newClient();
        const id = await client.createJob({ webhook_url: receiver.url });
        await waitsOf(server, id);
        expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/hook']));
      },
    ],
    [
      'a request times out after 10 seconds, and is retried',
      async (server) => {
        let cutAfter = 0;
        const receiver = await receiverOf(server, (response, _received, count) => {
          if (count > 1) return status(200)(response, _received, count);
          const began = performance.now();
          response.once('close', () => (cutAfter = performance.now() - began));
        });
        const client = await server.newClient();
        const id = await client.createJob({ webhook_url: receiver.url });
        const { next_attempt_at: due, last_error: error } = await delivery(server, id, 1);
        expect(error).toBe('no answer within 10 seconds');
        await eventually(() => cutAfter).toBeGreaterThan(9_000);
        expect(cutAfter).toBeLessThan(20_000);
        server.webhookTime.elapse(due - server.webhookTime.now());
        expect((await delivery(server, id, 2)).status).toBe('delivered');
      },
    ],
    [
      'a failed delivery is retried up to 3 times, with exponential backoff, and then abandoned',
      async (server) => {
        const receiver = await receiverOf(server, status(500));
        const client = await server.newClient();
        const id = await client.createJob({ webhook_url: receiver.url });
        const { waits, status: end } = await waitsOf(server, id);
        expect(end).toBe('failed');
        expect(waits).toHaveLength(3);
        for (const [i, wait] of waits.entries()) {
          expect(wait).toBeGreaterThanOrEqual(3_200 * 2 ** i);
          expect(wait).toBeLessThanOrEqual(4_800 * 2 ** i);
        }
        // The first retry follows within 10 s, the last within 75 s, even if each of the four attempts takes 10 s.
        expect(waits[0]).toBeLessThan(10_000);
        expect(waits.reduce((sum, wait) => sum + wait, 40_000)).toBeLessThan(75_000);
        server.webhookTime.elapse(3_600_000);
        expect(receiver.received).toHaveLength(4);
      },
    ],
    [
      'a delivery is not sent before it is due',
      async (server) => {
        const receiver = await receiverOf(server, (response, received, count) =>
          status(count === 1 ? 500 : 200)(response, received, count),
        );
        const client = await server.newClient();
        const id = await client.createJob({ webhook_url: receiver.url });
        const { next_attempt_at: due } = await delivery(server, id, 1);
        server.webhookTime.elapse(due - server.webhookTime.now() - 1);
        // Another job's call is started in the same poll of due calls.
        const other = await client.createJob({ webhook_url: receiver.url });
        await delivery(server, other, 1);
        expect(receiver.received).toHaveLength(2);
        server.webhookTime.elapse(1);
        expect((await delivery(server, id, 2)).status).toBe('delivered');
      },
    ],
    [
      'a receiver that acknowledges the second attempt gets no third one; both attempts have the same bytes and the same id',
      async (server) => {
        const receiver = await receiverOf(server, (response, received, count) =>
          status(count === 1 ? 503 : 200)(response, received, count),
        );
        const client = await server.newClient();
        const id = await client.createJob({ webhook_url: receiver.url });
        expect(await waitsOf(server, id)).toMatchObject({ status: 'delivered', waits: [expect.any(Number)] });
        const [first, second] = receiver.received;
        expect(second?.body).toEqual(first?.body);
        expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
        server.webhookTime.elapse(3_600_000);
        expect(receiver.received).toHaveLength(2);
      },
    ],
    [
      'neither an acknowledgement nor a failed delivery changes the job',
      async (server) => {
        const { client, id, payload } = await deliver(server, {}, status(500));
        await waitsOf(server, id);
        const { translated_files: _, webhook, ...job } = await client.status(id);
        expect(job).toEqual(payload['job']);
        expect(webhook).toMatchObject({ status: 'failed', attempts: 4, next_attempt_at: null });
      },
    ],
  ],
};

export const payloadRows: Section = {
  title: 'Payload of i18n_translation.completed',
  rows: [
    [
      'the payload has these fields',
      onPayload(({ payload }) => {
        expectNames(payload, 'event', 'job_id', 'status', 'job', 'translated_files', 'completed_at');
        expect(v.parse(webhookPayload, payload)).toEqual(payload);
      }),
    ],
    ['event', onPayload(({ payload }) => expect(payload['event']).toBe('i18n_translation.completed'))],
    [
      'job_id is the UUID of the job',
      onPayload(({ payload, id }) =>
        expect([payload['job_id'], id]).toEqual([id, expect.stringMatching(UUID)]),
      ),
    ],
    [
      'status is final',
      onPayload(({ payload }) => expect(payload['status']).toBe('partial'), { content: PARTLY }),
    ],
    [
      'job has the fields of a job in the list',
      async (server) => {
        const { client, payload } = await deliver(server, { content: PARTLY });
        expectNames(payload['job'], ...JOB_FIELDS);
        expect([payload['job']]).toEqual((await client.get('/v2/translate/i18n/jobs')).json);
      },
    ],
    [
      'translated_files are the same as in the status, with working URLs',
      async (server) => {
        const { client, id, payload } = await deliver(server, { target_languages: 'fr,de' });
        const files = listOf(payload['translated_files']);
        expect(files).toHaveLength(2);
        for (const file of files) expectNames(file, ...FILE_FIELDS);
        expect(files).toEqual((await client.status(id))['translated_files']);
        const { pathname, search } = new URL(String(files[0]?.['file_url']));
        expect((await client.get(pathname + search)).bytes).toHaveLength(Number(files[0]?.['file_size']));
      },
    ],
    [
      'completed_at is an ISO 8601 time, the same as in the job',
      onPayload(({ payload }) => {
        expect(payload['completed_at']).toMatch(ISO_8601);
        expect(fieldsOf(payload['job'])['completed_at']).toBe(payload['completed_at']);
      }),
    ],
  ],
};
