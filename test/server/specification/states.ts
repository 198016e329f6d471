import { expect, vi } from 'vitest';
import { expectError, type Fields } from './answer.ts';
import { JOBS, type Client } from './client.ts';
import { PARTLY, UUID } from './job-resources.ts';
import type { Section } from './row.ts';
import type { SpecifiedServer } from './server.ts';

async function endOf(server: SpecifiedServer, content: string, target = 'fr'): Promise<Fields> {
  const client = await server.newClient();
  const id = await client.createJob({ content, target_languages: target });
  await server.ended(id);
  return client.status(id);
}

/** Nothing of a job is left: neither in the interface nor on the disk. */
export async function expectGone(server: SpecifiedServer, client: Client, id: string): Promise<void> {
  expectError(await client.get(`${JOBS}/${id}/status`), 404, 'job not found');
  expectError(await client.download(id), 404, 'job not found', 'error');
  expect((await client.get(JOBS)).json).toEqual([]);
  expect(await server.jobsWithFiles()).not.toContain(id);
}

export const stateRows: Section = {
  title: 'States and transitions',
  rows: [
    [
      'pending: queued, waiting to be processed',
      async (server) => {
        const client = await server.newClient();
        const release = server.hold();
        // The number of jobs that run at once.
        for (let i = 0; i < server.replicas; i++) {
          await server.begun(await client.createJob({ content: '{"a": "HOLD"}' }));
        }
        const second = await client.createJob();
        expect(await client.status(second)).toMatchObject({ status: 'pending', completed_at: null });
        release();
        await server.ended(second);
      },
    ],
    [
      'processing: being processed',
      async (server) => {
        const client = await server.newClient();
        const release = server.hold();
        const id = await client.createJob({ content: '{"a": "HOLD"}' });
        await server.begun(id);
        expect(await client.status(id)).toMatchObject({
          status: 'processing',
          completed_at: null,
          translated_files: [],
        });
        release();
        await server.ended(id);
      },
    ],
    [
      'completed: all translations succeeded',
      async (server) => {
        expect(await endOf(server, '{"a": "Hello", "b": "Goodbye"}', 'fr,de')).toMatchObject({
          status: 'completed',
          total_keys: 2,
          translated_keys: 2,
          failed_keys: 0,
        });
      },
    ],
    [
      'partial: some translations failed',
      async (server) => {
        expect(await endOf(server, PARTLY)).toMatchObject({
          status: 'partial',
          translated_keys: 2,
          failed_keys: 1,
        });
      },
    ],
    [
      'failed: the job failed, because nothing succeeded (design)',
      async (server) => {
        expect(await endOf(server, '{"a": "FAIL", "b": "FAIL too"}')).toMatchObject({
          status: 'failed',
          translated_keys: 0,
          failed_keys: 2,
          translated_files: [],
        });
      },
    ],
    [
      'creation: the answer has the id of the job, and its status is always pending',
      async (server) => {
        const client = await server.newClient();
        for (let i = 0; i < 3; i++) {
          const created = (await client.upload()).object(201);
          expect(created['status']).toBe('pending');
          expect(created['job_id']).toMatch(UUID);
          await server.ended(String(created['job_id']));
        }
      },
    ],
    [
      'an invalid request creates no job',
      async (server) => {
        const client = await server.newClient();
        expect((await client.upload({ target_languages: 'nonsense' })).status).toBe(400);
        expect((await client.get(JOBS)).json).toEqual([]);
      },
    ],
    [
      'deletion of a job that has ended removes it, the original file, the translated files and all records about it',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob();
        await server.ended(id);
        expect(await server.jobsWithFiles()).toContain(id);
        expect((await client.remove(id)).status).toBe(200);
        await expectGone(server, client, id);
      },
    ],
    [
      'deletion of a waiting or running job removes it too: requested translations are charged, and the rest is refunded',
      async (server) => {
        const client = await server.newClient({ credits: 10 });
        const release = server.hold();
        const running = await client.createJob({ content: '{"a": "HOLD deleted"}' });
        const waiting = await client.createJob();
        // Jobs of earlier rows may still be waiting for the engine.
        const isAsked = (): void => expect(server.held('HOLD deleted')).toBe(1);
        await vi.waitFor(isAsked, { timeout: 30_000 });
        expect((await client.remove(waiting)).status).toBe(200);
        expect((await client.remove(running)).status).toBe(200);
        await expectGone(server, client, running);
        await expectGone(server, client, waiting);
        release();
        // Until then the summary counts reserved credits as used. The server may count answers for 20 s.
        const isSettled = async (): Promise<void> => {
          expect(await server.store.accounts.find(client.accountId)).toMatchObject({ reserved: 0 });
        };
        await vi.waitFor(isSettled, { timeout: 45_000 });
        // One of several servers may have translated the second job before it was deleted.
        const used = Number((await client.summary())['credits_used']);
        expect(server.replicas === 1 ? [1] : [1, 2, 3]).toContain(used);
      },
    ],
    [
      'only the caller’s jobs can be deleted',
      async (server) => {
        const [owner, other] = [await server.newClient(), await server.newClient()];
        const id = await owner.createJob();
        expect((await other.remove(id)).status).toBe(404);
        await server.ended(id);
        expect((await owner.status(id))['status']).toBe('completed');
      },
    ],
    [
      'at the end, every key is either translated or failed (design)',
      async (server) => {
        for (const content of ['{"a": "Hello"}', PARTLY, '{"a": "FAIL"}']) {
          const {
            total_keys: total,
            translated_keys: good,
            failed_keys: bad,
          } = await endOf(server, content, 'fr,de');
          expect(Number(good) + Number(bad)).toBe(total);
        }
      },
    ],
    [
      'a final status never changes',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob();
        await server.ended(id);
        const first = await client.status(id);
        await client.download(id);
        expect(await client.status(id)).toEqual(first);
      },
    ],
  ],
};
