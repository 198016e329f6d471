import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import {
  claimDeliveries,
  enqueueDelivery,
  findDueDeliveries,
  nextDeliveryAt,
  recordDelivered,
  recordFailure,
  releaseDeliveries,
  storeDeliveryBody,
  type DueQuery,
} from '../../src/store/deliveries.ts';
import { addAccount, addJob, openStore, rows, SECRET } from '../webhooks/store.ts';

const NOW = 1_000_000;
const ALL: DueQuery = { now: NOW, perReceiver: 8, limit: 100, busyAccounts: [], busyOrigins: [] };

async function storeWith(count: number, url = 'https://example.com:8443/hook?a=b') {
  const store = await openStore();
  const accountId = await addAccount(store.database);
  const jobs: string[] = [];
  for (let i = 0; i < count; i++) {
    jobs.push(await addJob(store.database, { accountId, url, now: NOW }));
  }
  const ids = (await rows(store.database)).map(({ id }) => id);
  return { ...store, accountId, jobs, ids };
}

describe('a delivery', () => {
  it('is due at once, with the secret of its account', async () => {
    const { database, accountId, jobs, ids } = await storeWith(1);
    const [id = ''] = ids;
    expect(id).toMatch(/^msg_[0-9a-f-]{36}$/);
    const origin = 'https://example.com:8443';
    expect(await findDueDeliveries(database, ALL)).toEqual([{ id, accountId, origin }]);
    expect(await findDueDeliveries(database, { ...ALL, now: NOW - 1 })).toEqual([]);
    expect(await nextDeliveryAt(database, NOW - 1)).toBe(NOW);
    expect(await nextDeliveryAt(database, NOW)).toBeUndefined();
    expect(await claimDeliveries(database, ids, 'i1')).toEqual([
      {
        ...{ id, accountId, jobId: jobs[0], url: 'https://example.com:8443/hook?a=b' },
        ...{ body: undefined, attempts: 0, secret: SECRET },
      },
    ]);
  });

  it('does not exist when the transaction that ends its job fails', async () => {
    const { database, accountId } = await storeWith(0);
    const jobId = await addJob(database, { accountId, url: 'https://example.com/', now: NOW });
    await database.write((sql) => sql.deleteFrom('webhook_deliveries').execute());
    const ending = database.write(async (sql) => {
      await enqueueDelivery(sql, { accountId, jobId, url: 'https://example.com/', now: NOW });
      throw new Error('the job does not end');
    });
    await expect(ending).rejects.toThrow('does not end');
    expect(await rows(database)).toEqual([]);
  });

  it('is taken on by one process only', async () => {
    const { database, directory, ids } = await storeWith(40);
    const other = await openDatabase(directory);
    try {
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          claimDeliveries(index % 2 === 0 ? database : other, ids, `i${index}`),
        ),
      );
      const claimed = claims.flat().map(({ id }) => id);
      expect(claimed.sort()).toEqual([...ids].sort());
      expect(await findDueDeliveries(database, ALL)).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('has one body for ever', async () => {
    const { database, ids } = await storeWith(1);
    const claim = { id: ids[0] ?? '', instanceId: 'i1' };
    expect(await storeDeliveryBody(database, claim, 'not mine')).toBe(false);
    await claimDeliveries(database, ids, 'i1');
    expect(await storeDeliveryBody(database, claim, 'first')).toBe(true);
    expect(await storeDeliveryBody(database, claim, 'second')).toBe(false);
    await recordFailure(database, claim, { error: 'no', retryAt: NOW });
    expect(await claimDeliveries(database, ids, 'i2')).toMatchObject([{ body: 'first', attempts: 1 }]);
  });

  it('is due again after a failure, and never after the last', async () => {
    const { database, ids } = await storeWith(1);
    const claim = { id: ids[0] ?? '', instanceId: 'i1' };
    await claimDeliveries(database, ids, 'i1');
    await recordFailure(database, claim, { error: 'the receiver answered 500', retryAt: NOW + 5 });
    expect(await findDueDeliveries(database, ALL)).toEqual([]);
    expect(await nextDeliveryAt(database, NOW)).toBe(NOW + 5);
    expect(await findDueDeliveries(database, { ...ALL, now: NOW + 5 })).toHaveLength(1);
    await claimDeliveries(database, ids, 'i1');
    await recordFailure(database, claim, { error: 'the receiver answered 502', retryAt: undefined });
    expect(await findDueDeliveries(database, { ...ALL, now: Infinity })).toEqual([]);
    expect(await rows(database)).toMatchObject([
      { status: 'failed', attempts: 2, last_error: 'the receiver answered 502', instance_id: null },
    ]);
  });

  it('is done when it was acknowledged', async () => {
    const { database, ids } = await storeWith(1);
    await claimDeliveries(database, ids, 'i1');
    await recordDelivered(database, { id: ids[0] ?? '', instanceId: 'i2' }, NOW);
    expect(await rows(database)).toMatchObject([{ status: 'pending', instance_id: 'i1' }]);
    await recordDelivered(database, { id: ids[0] ?? '', instanceId: 'i1' }, NOW + 7);
    expect(await rows(database)).toMatchObject([
      { status: 'delivered', attempts: 1, delivered_at: NOW + 7, instance_id: null },
    ]);
    expect(await claimDeliveries(database, ids, 'i1')).toEqual([]);
  });

  it('goes with its job', async () => {
    const { database, jobs, ids } = await storeWith(1);
    await claimDeliveries(database, ids, 'i1');
    await database.write((sql) =>
      sql
        .deleteFrom('jobs')
        .where('id', '=', jobs[0] ?? '')
        .execute(),
    );
    expect(await storeDeliveryBody(database, { id: ids[0] ?? '', instanceId: 'i1' }, 'x')).toBe(false);
    expect(await rows(database)).toEqual([]);
  });

  it('is given back, but for those under way', async () => {
    const { database, ids } = await storeWith(3);
    const [first = '', second = '', third = ''] = ids;
    await claimDeliveries(database, [first, second], 'i1');
    await claimDeliveries(database, [third], 'i2');
    await releaseDeliveries(database, 'i1', [second]);
    expect((await findDueDeliveries(database, ALL)).map(({ id }) => id)).toEqual([first]);
    await releaseDeliveries(database, 'i1');
    expect(await findDueDeliveries(database, ALL)).toHaveLength(2);
  });
});

describe('what is due', () => {
  it('has one of every receiver before the second of any', async () => {
    const { database, accountId } = await storeWith(50, 'https://dead.example.com/');
    const other = await addAccount(database);
    const add = (account: string, url: string) => addJob(database, { accountId: account, url, now: NOW });
    await add(accountId, 'https://live.example.com/1');
    await add(other, 'https://live.example.com/2');
    await add(other, 'https://dead.example.com/3');
    const due = await findDueDeliveries(database, { ...ALL, perReceiver: 2, limit: 5 });
    expect(
      due
        .slice(0, 4)
        .map((one) => `${one.accountId === other} ${one.origin}`)
        .sort(),
    ).toEqual([
      'false https://dead.example.com',
      'false https://live.example.com',
      'true https://dead.example.com',
      'true https://live.example.com',
    ]);
    expect(due).toHaveLength(5);
    const without = await findDueDeliveries(database, { ...ALL, busyOrigins: ['https://dead.example.com'] });
    expect(without.map(({ origin }) => origin)).toEqual(Array(2).fill('https://live.example.com'));
    const rest = await findDueDeliveries(database, { ...ALL, busyAccounts: [accountId] });
    expect(rest.map((one) => one.accountId)).toEqual([other, other]);
  });
});
