import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/store/shared/database.ts';
import { deliveryStore } from '../../src/store/shared/deliveries.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import {
  startDeliveries,
  type CallResult,
  type Deliveries,
  type DeliveriesOptions,
} from '../../src/webhooks/deliveries.ts';
import { eventually } from './eventually.ts';
import { startReceiver, status, type Receiver } from './receiver.ts';
import { addAccount, addJob, Clock, openStore, rows, SECRET } from './store.ts';

interface Setup {
  readonly deliveries: Deliveries;
  readonly results: CallResult[];
  readonly clock: Clock;
  /** Lets time pass until there are this many results. */
  readonly until: (count: number, stepMs?: number) => Promise<void>;
}

interface StartOptions extends Partial<DeliveriesOptions> {
  readonly instanceId?: string;
}

function start(
  database: Database,
  { ca }: Receiver,
  { instanceId = 'i1', ...options }: StartOptions = {},
): Setup {
  const results: CallResult[] = [];
  const clock = new Clock();
  const deliveries = startDeliveries({
    store: deliveryStore(database, () => instanceId),
    allowPrivate: true,
    ca,
    now: clock.now,
    schedule: clock.schedule,
    bodyOf: (jobId) => Promise.resolve(JSON.stringify({ job_id: jobId, at: clock.now() })),
    onResult: (result) => results.push(result),
    ...options,
  });
  onTestFinished(() => deliveries.close());
  const until = async (count: number, stepMs = 0): Promise<void> => {
    await expect
      .poll(
        () => {
          clock.tick(stepMs);
          return results.length;
        },
        { interval: 5, timeout: 10_000 },
      )
      .toBeGreaterThanOrEqual(count);
  };
  return { deliveries, results, clock, until };
}

async function storeWithJobs(receiver: Receiver, count: number) {
  const store = await openStore();
  const accountId = await addAccount(store.database);
  const jobs = await Promise.all(
    Array.from({ length: count }, () => addJob(store.database, { accountId, url: receiver.url, now: 1 })),
  );
  return { ...store, accountId, jobs };
}

describe('deliveries', () => {
  it('call the webhook of a job that has ended, once', async () => {
    const receiver = await startReceiver(status(200));
    const { database, accountId } = await storeWithJobs(receiver, 0);
    const { deliveries, results, until, clock } = start(database, receiver);
    const jobId = await addJob(database, { accountId, url: receiver.url, now: clock.now() });
    deliveries.wake();
    await until(1);
    clock.tick(3_600_000);
    await deliveries.close();
    expect(results).toEqual([{ id: expect.any(String) as string, jobId, attempt: 1, outcome: 'delivered' }]);
    expect(receiver.received).toHaveLength(1);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
    expect(new Webhook(SECRET).verify(body.toString(), headers as Record<string, string>)).toMatchObject({
      job_id: jobId,
    });
    expect(await rows(database)).toMatchObject([{ status: 'delivered', attempts: 1, body: body.toString() }]);
  });

  it('are retried three times, with the same id and bytes', async () => {
    const receiver = await startReceiver(status(500));
    const { database, jobs } = await storeWithJobs(receiver, 1);
    const { deliveries, results, until, clock } = start(database, receiver);
    const begin = clock.now();
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt++) {
      await until(attempt, attempt === 1 ? 0 : 100);
      delays.push(clock.now() - begin);
    }
    for (let step = 0; step < 100; step++) clock.tick(10_000);
    await deliveries.close();
    expect(results.map(({ jobId, attempt, outcome }) => ({ jobId, attempt, outcome }))).toEqual([
      { jobId: jobs[0], attempt: 1, outcome: 'retrying' },
      { jobId: jobs[0], attempt: 2, outcome: 'retrying' },
      { jobId: jobs[0], attempt: 3, outcome: 'retrying' },
      { jobId: jobs[0], attempt: 4, outcome: 'failed' },
    ]);
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [first = 0, second = 0, third = 0, fourth = 0] = delays;
    expect(second - first).toBeGreaterThanOrEqual(3_200);
    expect(second - first).toBeLessThan(10_000);
    expect(third - second).toBeGreaterThanOrEqual(6_400);
    expect(fourth - third).toBeGreaterThanOrEqual(12_800);
    expect(fourth).toBeLessThan(75_000);
    expect(await rows(database)).toMatchObject([
      { status: 'failed', attempts: 4, last_error: 'the receiver answered 500' },
    ]);
  });

  it('sign every attempt with its own time', async () => {
    const receiver = await startReceiver((response, _received, count) => {
      status(count < 2 ? 503 : 200)(response, _received, count);
    });
    const { database } = await storeWithJobs(receiver, 1);
    const { until, clock } = start(database, receiver);
    await until(1);
    clock.tick(4_800);
    await until(2);
    const [first, second] = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(4);
    expect(await rows(database)).toMatchObject([{ status: 'delivered', attempts: 2, last_error: null }]);
  });

  it('continue in the next process', async () => {
    const receiver = await startReceiver((response, received, count) => {
      status(count === 1 ? 500 : 200)(response, received, count);
    });
    const { database } = await storeWithJobs(receiver, 1);
    const first = start(database, receiver);
    await first.until(1);
    await first.deliveries.close();
    const second = start(database, receiver, {
      instanceId: 'i2',
      bodyOf: () => Promise.reject(new Error('the body is in the store')),
    });
    await second.until(1, 1_000);
    expect(second.results).toMatchObject([{ attempt: 2, outcome: 'delivered' }]);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
  });

  it('are found without being woken', async () => {
    const receiver = await startReceiver(status(200));
    const { database, accountId, directory } = await storeWithJobs(receiver, 0);
    const { until, clock } = start(database, receiver);
    await eventually(() => clock.timers).toBe(1);
    const elsewhere = await openDatabase(directory);
    await addJob(elsewhere, { accountId, url: receiver.url, now: clock.now() });
    await elsewhere.close();
    await until(1, 1_000);
    expect(receiver.received).toHaveLength(1);
  });

  it('are each taken by one of two processes', async () => {
    const receiver = await startReceiver(status(200));
    const { database, directory } = await storeWithJobs(receiver, 60);
    const other = await openDatabase(directory);
    const one = start(database, receiver);
    const two = start(other, receiver, { instanceId: 'i2' });
    await expect.poll(() => one.results.length + two.results.length, { timeout: 60_000 }).toBe(60);
    await Promise.all([one.deliveries.close(), two.deliveries.close()]);
    await other.close();
    expect(receiver.received).toHaveLength(60);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
  });

  it('to a live receiver do not wait for a dead one', async () => {
    const dead = await startReceiver(() => undefined);
    const live = await startReceiver(status(200));
    const { database, accountId } = await storeWithJobs(dead, 200);
    const { deliveries, results, clock } = start(database, dead, { graceMs: 0 });
    await eventually(() => dead.received.length).toBeGreaterThan(4);
    const other = await addAccount(database);
    await addJob(database, { accountId, url: live.url, now: clock.now() });
    await addJob(database, { accountId: other, url: live.url, now: clock.now() });
    deliveries.wake();
    await expect.poll(() => results.length, { timeout: 8_000 }).toBe(2);
    expect(live.received).toHaveLength(2);
    expect(dead.received.length).toBeLessThanOrEqual(16);
  });

  it('end with the process: running calls are aborted after a moment, and stay pending', async () => {
    const hanging = await startReceiver(() => undefined);
    const { database } = await storeWithJobs(hanging, 3);
    const { deliveries, results } = start(database, hanging, { graceMs: 50 });
    await eventually(() => hanging.received.length).toBe(3);
    await Promise.all([deliveries.close(), deliveries.close()]);
    deliveries.wake();
    expect(results).toEqual([]);
    expect(await rows(database)).toMatchObject(
      [1, 2, 3].map(() => ({ status: 'pending', attempts: 0, instance_id: null })),
    );
    expect(hanging.received).toHaveLength(3);
  });

  it('may finish within a moment', async () => {
    const slow = await startReceiver((response, received, count) => {
      setTimeout(() => status(200)(response, received, count), 100);
    });
    const { database } = await storeWithJobs(slow, 1);
    const { deliveries, results } = start(database, slow);
    await eventually(() => slow.received.length).toBe(1);
    await deliveries.close();
    expect(results).toMatchObject([{ outcome: 'delivered' }]);
  });

  it('count a receiver that does not answer in time as failed', async () => {
    const hanging = await startReceiver(() => undefined);
    const { database } = await storeWithJobs(hanging, 1);
    const { results, until } = start(database, hanging, { timeoutMs: 100 });
    await until(1);
    expect(results).toMatchObject([{ outcome: 'retrying', error: 'no answer within 0.1 seconds' }]);
  });

  it('fail if the receiver has a private address', async () => {
    const receiver = await startReceiver(status(200));
    const { database } = await storeWithJobs(receiver, 1);
    const { results, until } = start(database, receiver, { allowPrivate: false });
    await until(4, 1_000);
    expect(results.map(({ outcome }) => outcome)).toEqual(['retrying', 'retrying', 'retrying', 'failed']);
    expect(receiver.connections()).toBe(0);
  });

  it('of a deleted job are not made', async () => {
    const receiver = await startReceiver(status(200));
    const { database, jobs } = await storeWithJobs(receiver, 2);
    const { until, deliveries } = start(database, receiver, {
      bodyOf: async (jobId) => {
        if (jobId !== jobs[0]) return '{}';
        await database.write((sql) => sql.deleteFrom('jobs').where('id', '=', jobId).execute());
        return 'a body after all';
      },
    });
    await until(1);
    await deliveries.close();
    expect(receiver.received.map(({ body }) => body.toString())).toEqual(['{}']);
    expect(await rows(database)).toMatchObject([{ status: 'delivered' }]);
  });

  it('are dropped without a body, and retried if the body cannot be built', async () => {
    const receiver = await startReceiver(status(200));
    const { database, jobs } = await storeWithJobs(receiver, 2);
    let asked = 0;
    const { until, results, deliveries } = start(database, receiver, {
      bodyOf: (jobId) => {
        if (jobId === jobs[0]) return Promise.resolve(undefined);
        return asked++ === 0 ? Promise.reject(new Error('the disk is gone')) : Promise.resolve('{}');
      },
    });
    await until(2, 500);
    await deliveries.close();
    expect(results).toMatchObject([
      { attempt: 1, outcome: 'retrying', error: 'the result of the job cannot be read' },
      { attempt: 2, outcome: 'delivered' },
    ]);
    const all = await rows(database);
    expect(all.find(({ job_id }) => job_id === jobs[0])?.status).toBe('failed');
    expect(receiver.received).toHaveLength(1);
  });

  it('survive a store that is unavailable for a while', async () => {
    const receiver = await startReceiver(status(200));
    const { database } = await storeWithJobs(receiver, 3);
    let broken = true;
    let failures = 0;
    const fragile: Database = {
      ...database,
      write(work, options) {
        if (!broken) return database.write(work, options);
        failures++;
        // The claim has succeeded, but its answer is lost.
        return database.write(work, options).then(() => Promise.reject(new Error('the disk is full')));
      },
    };
    const errors: string[] = [];
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (_fields: object, message: string) => errors.push(message),
    };
    const { until, clock } = start(fragile, receiver, { log });
    await eventually(() => failures).toBeGreaterThan(0);
    await eventually(() => clock.timers).toBe(1);
    broken = false;
    await until(3, 500);
    expect(errors.length).toBeGreaterThan(0);
    expect(await rows(database)).toMatchObject([1, 2, 3].map(() => ({ status: 'delivered' })));
  });

  it('wait as long as the receiver requests', async () => {
    const receiver = await startReceiver((response, _received, count) => {
      response.writeHead(count === 1 ? 503 : 200, { 'retry-after': '120' });
      response.end();
    });
    const { database } = await storeWithJobs(receiver, 1);
    const { until, clock } = start(database, receiver);
    await until(1);
    const [row] = await rows(database);
    expect(row?.next_attempt_at).toBe(clock.now() + 120_000);
    clock.tick(120_000);
    await until(2);
    expect(await rows(database)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  it('are abandoned immediately if the receiver is gone, and repeated on request', async () => {
    const receiver = await startReceiver((response, received, count) => {
      status(count === 1 ? 410 : 200)(response, received, count);
    });
    const { database, jobs, directory } = await storeWithJobs(receiver, 1);
    const { deliveries, until, results, clock } = start(database, receiver);
    await until(1);
    expect(results).toMatchObject([{ attempt: 1, outcome: 'failed', error: 'the receiver answered 410' }]);
    const store = await openSqliteStore(directory);
    onTestFinished(() => store.close());
    expect(await store.redeliver('nobody', clock.now())).toBe(false);
    expect(await store.redeliver(jobs[0] ?? '', clock.now())).toBe(true);
    deliveries.wake();
    await until(2);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
    expect(await rows(database)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  it('log neither URLs nor secrets nor bodies', async () => {
    const receiver = await startReceiver((response, received, count) => {
      status(count === 1 ? 500 : 200)(response, received, count);
    });
    const { database, accountId } = await storeWithJobs(receiver, 0);
    const url = `${receiver.url}/t0ken?key=t0ken`;
    await addJob(database, { accountId, url, now: 1 });
    const lines: string[] = [];
    const line = (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message }));
    const { until } = start(database, receiver, {
      log: { info: line, warn: line, error: line },
      bodyOf: () => Promise.resolve('{"t0ken":1}'),
    });
    await until(2, 500);
    expect(lines).toHaveLength(2);
    expect(lines.join()).toContain(new URL(url).origin);
    expect(lines.join()).not.toMatch(/t0ken|whsec/);
  });
});
