import { describe, expect, it } from 'vitest';
import type { CallLimits, DeliveryStore } from '../../src/store/delivery-store.ts';
import { addAccount, addJob, rows, SECRET } from '../webhooks/store.ts';
import { openInstance, register, STORES } from './harness.ts';

const NOW = 1_000_000;
const ALL: CallLimits = { total: 128, perAccount: 128, perOrigin: 128 };

const idsOf = async (store: DeliveryStore, now = NOW): Promise<readonly string[]> =>
  (await store.claimDue(ALL, now)).map(({ id }) => id);

describe.each(STORES)('a delivery ($name)', ({ place }) => {
  async function storeWith(count: number, url = 'https://example.com:8443/hook?a=b') {
    const opened = await openInstance(place);
    const { database, instance } = opened;
    const other = (await register(await opened.open())).deliveries;
    const accountId = await addAccount(database);
    const jobs: string[] = [];
    for (let i = 0; i < count; i++) jobs.push(await addJob(database, { accountId, url, now: NOW }));
    const ids = (await rows(database)).map(({ id }) => id);
    return { ...opened, deliveries: instance.deliveries, other, accountId, jobs, ids };
  }

  it('is due immediately, with the secret of its account', async () => {
    const { deliveries, accountId, jobs, ids } = await storeWith(1);
    const [id = ''] = ids;
    expect(id).toMatch(/^msg_[0-9a-f-]{36}$/);
    expect(await deliveries.claimDue(ALL, NOW - 1)).toEqual([]);
    expect(await deliveries.nextAt(NOW - 1)).toBe(NOW);
    expect(await deliveries.nextAt(NOW)).toBeUndefined();
    expect(await deliveries.claimDue(ALL, NOW)).toEqual([
      {
        id,
        accountId,
        jobId: jobs[0],
        url: 'https://example.com:8443/hook?a=b',
        origin: 'https://example.com:8443',
        body: undefined,
        attempts: 0,
        secret: SECRET,
      },
    ]);
  });

  it('is claimed by only one process', async () => {
    const { deliveries, other, ids } = await storeWith(40);
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 ? deliveries : other).claimDue(ALL, NOW)),
    );
    const claimed = claims.flat().map(({ id }) => id);
    expect(claimed.sort()).toEqual([...ids].sort());
    expect(await idsOf(deliveries)).toEqual([]);
  });

  it('always has the same body', async () => {
    const { deliveries, other, ids } = await storeWith(1);
    const [id = ''] = ids;
    expect(await deliveries.storeBody(id, 'not mine')).toBe(false);
    expect(await idsOf(deliveries)).toEqual(ids);
    expect(await deliveries.storeBody(id, 'first')).toBe(true);
    expect(await deliveries.storeBody(id, 'second')).toBe(false);
    await deliveries.failed(id, { error: 'no', retryAt: NOW });
    expect(await other.claimDue(ALL, NOW)).toMatchObject([{ body: 'first', attempts: 1 }]);
  });

  it('is due again after a failure, unless it was the last attempt', async () => {
    const { deliveries, database, ids } = await storeWith(1);
    const [id = ''] = ids;
    await idsOf(deliveries);
    await deliveries.failed(id, { error: 'the receiver answered 500', retryAt: NOW + 5 });
    expect(await idsOf(deliveries)).toEqual([]);
    expect(await deliveries.nextAt(NOW)).toBe(NOW + 5);
    expect(await idsOf(deliveries, NOW + 5)).toEqual(ids);
    await deliveries.failed(id, { error: 'the receiver answered 502', retryAt: undefined });
    expect(await idsOf(deliveries, NOW + 1e9)).toEqual([]);
    expect(await rows(database)).toMatchObject([
      { status: 'failed', attempts: 2, last_error: 'the receiver answered 502', instance_id: null },
    ]);
  });

  it('is done once it is acknowledged', async () => {
    const { deliveries, other, instance, database, ids } = await storeWith(1);
    const [id = ''] = ids;
    await idsOf(deliveries);
    await other.delivered(id, NOW);
    expect(await rows(database)).toMatchObject([{ status: 'pending', instance_id: instance.id }]);
    await deliveries.delivered(id, NOW + 7);
    expect(await rows(database)).toMatchObject([
      { status: 'delivered', attempts: 1, delivered_at: NOW + 7, instance_id: null },
    ]);
    expect(await idsOf(deliveries)).toEqual([]);
  });

  it('is removed with its job', async () => {
    const { deliveries, instance, database, accountId, jobs, ids } = await storeWith(1);
    await idsOf(deliveries);
    expect(await instance.jobs.delete(accountId, jobs[0] ?? '', NOW)).toBe(true);
    expect(await deliveries.storeBody(ids[0] ?? '', 'x')).toBe(false);
    expect(await rows(database)).toEqual([]);
  });

  it('is released unless its call is running', async () => {
    const { deliveries, other, ids } = await storeWith(3);
    const two = await deliveries.claimDue({ ...ALL, total: 2 }, NOW);
    const three = await other.claimDue(ALL, NOW);
    expect([...two, ...three].map(({ id }) => id).sort()).toEqual([...ids].sort());
    await deliveries.release([two[1]?.id ?? '']);
    expect(await idsOf(other)).toEqual([two[0]?.id]);
    await deliveries.release();
    expect(await idsOf(other)).toEqual([two[1]?.id]);
  });

  it('is made to every receiver once before any gets a second one, within the limits of all processes', async () => {
    const { deliveries, other, database, accountId } = await storeWith(50, 'https://dead.example.com/');
    const second = await addAccount(database);
    const add = (account: string, url: string) => addJob(database, { accountId: account, url, now: NOW });
    await add(accountId, 'https://live.example.com/1');
    await add(second, 'https://live.example.com/2');
    await add(second, 'https://dead.example.com/3');
    const first = await deliveries.claimDue({ ...ALL, total: 4 }, NOW);
    expect(first.map((one) => `${one.accountId === second} ${one.origin}`).sort()).toEqual([
      'false https://dead.example.com',
      'false https://live.example.com',
      'true https://dead.example.com',
      'true https://live.example.com',
    ]);
    expect(await other.claimDue({ ...ALL, perOrigin: 2 }, NOW)).toEqual([]);
    expect(await other.claimDue({ ...ALL, perOrigin: 5 }, NOW)).toHaveLength(3);
    expect(await other.claimDue({ ...ALL, perAccount: 7 }, NOW)).toHaveLength(2);
    expect(await other.claimDue({ ...ALL, total: 8 }, NOW)).toHaveLength(3);
  });
});
