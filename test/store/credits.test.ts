import { describe, expect, it } from 'vitest';
import { isShortage, type Store } from '../../src/store/store.ts';
import { accountWith, audit, openInstance, register, reservationOf, STORES } from './harness.ts';

const entry = (reference: string, successful = true) => ({ operation: 'translate', reference, successful });

async function stateOf({ accounts }: Store, id: string): Promise<unknown> {
  const account = await accounts.find(id);
  return account && [account.balance, account.reserved, account.requestsSuccessful, account.requestsFailed];
}

describe.each(STORES)('credits ($name)', ({ place }) => {
  it('are reserved before the work and settled after it', async () => {
    const { store, database, snapshot, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await metering.reserve(id, 7));
    expect(await stateOf(store, id)).toEqual([10, 7, 0, 0]);
    await audit({ snapshot });
    await reservation.settle(3, entry('request 1'));
    expect(await stateOf(store, id)).toEqual([7, 0, 1, 0]);
    await audit({ snapshot });
    const row = await database.sql
      .selectFrom('ledger')
      .selectAll()
      .where('amount', '<', 0)
      .executeTakeFirst();
    expect(row).toMatchObject({
      amount: -3,
      operation: 'translate',
      reference: 'request 1',
      created_at: expect.any(Number) as number,
    });
  });

  it('of a failure are all refunded, without a row in the ledger', async () => {
    const { store, database, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    await reservationOf(await metering.reserve(id, 7)).settle(0, entry('request 1', false));
    expect(await stateOf(store, id)).toEqual([10, 0, 0, 1]);
    expect(await database.sql.selectFrom('ledger').selectAll().execute()).toHaveLength(1);
  });

  it('are reserved only if there are enough: n, but not n + 1', async () => {
    const { store, snapshot, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    expect(await metering.reserve(id, 11)).toEqual({ remaining: 10 });
    reservationOf(await metering.reserve(id, 10));
    expect(await metering.reserve(id, 1)).toEqual({ remaining: 0 });
    reservationOf(await metering.reserve(id, 0));
    await audit({ snapshot });
  });

  it('requested at the same time go, in order, to the requests that they cover', async () => {
    const { store, snapshot, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    const other = await accountWith(store, 3, 'bernd@example.org');
    const answers = await Promise.all([
      ...[6, 5, 3, 2, 1].map((amount) => metering.reserve(id, amount)),
      metering.reserve(other.id, 3),
    ]);
    expect(answers.map((answer) => (isShortage(answer) ? answer.remaining : `got ${answer.amount}`))).toEqual(
      ['got 6', 4, 'got 3', 1, 'got 1', 'got 3'],
    );
    expect(await stateOf(store, id)).toEqual([10, 10, 0, 0]);
    await audit({ snapshot });
  });

  it('are charged without a reservation, if they can be spent', async () => {
    const { store, database, snapshot, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await metering.reserve(id, 4));
    expect(await metering.charge(id, 7, entry('too much'))).toBe(false);
    expect(await stateOf(store, id)).toEqual([10, 4, 0, 0]);
    expect(await metering.charge(id, 6, entry('request 1'))).toBe(true);
    expect(await stateOf(store, id)).toEqual([4, 4, 1, 0]);
    expect(await metering.charge(id, 0, entry('free'))).toBe(true);
    expect(await metering.charge('nobody', 1, entry('of nobody'))).toBe(false);
    await audit({ snapshot });
    // The charge runs concurrently with a settlement, which it neither affects nor blocks.
    const [charged] = await Promise.all([
      metering.charge(id, 1, entry('nothing is left')),
      reservation.settle(4, entry('request 2')),
    ]);
    expect(charged).toBe(false);
    expect(await stateOf(store, id)).toEqual([0, 0, 3, 0]);
    const rows = await database.sql.selectFrom('ledger').selectAll().where('amount', '<', 0).execute();
    expect(rows.map(({ amount, reference }) => [amount, reference])).toEqual([
      [-6, 'request 1'],
      [-4, 'request 2'],
    ]);
    await audit({ snapshot });
    await expect(metering.charge(id, -1, entry('negative'))).rejects.toMatchObject({ code: 'internal' });
  });

  it('are charged once for each of many concurrent requests, until none are left', async () => {
    const { store, snapshot, instance, open } = await openInstance(place);
    const { id } = await accountWith(store, 100);
    const counters = [instance.metering, (await register(await open())).metering];
    const charge = (i: number): Promise<boolean> => counters[i % 2]!.charge(id, 1, entry(`request ${i}`));
    let charged = 0;
    // Calls that together exceeded a limit are repeated one by one.
    for (const some of [70, 70]) {
      const indexes = Array.from({ length: some }, (_, i) => i);
      const answers = await Promise.all(indexes.map(charge));
      charged += answers.filter(Boolean).length;
    }
    while (await charge(charged)) charged++;
    expect(charged).toBe(100);
    expect(await stateOf(store, id)).toEqual([0, 0, 100, 0]);
    await audit({ snapshot });
  });

  it('pay for exactly 100 of 200 concurrent requests if there are 100 of them', async () => {
    const { store, snapshot, instance, open } = await openInstance(place);
    const { id } = await accountWith(store, 100);
    const counters = [instance.metering, (await register(await open())).metering];
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const answer = await counters[i % 2]!.reserve(id, 1);
        if (isShortage(answer)) return 0;
        await answer.settle(1, entry(`request ${i}`));
        return 1;
      }),
    );
    expect(answers.reduce((sum: number, served) => sum + served, 0)).toBe(100);
    expect(await stateOf(store, id)).toEqual([0, 0, 100, 0]);
    await audit({ snapshot });
  });

  it('are settled once, and for no more than was reserved', async () => {
    const { store, snapshot, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await metering.reserve(id, 2));
    for (const charge of [3, -1, 0.5]) {
      await expect(reservation.settle(charge, entry('x'))).rejects.toMatchObject({ code: 'internal' });
    }
    await expect(metering.reserve(id, -1)).rejects.toMatchObject({ code: 'internal' });
    // A reservation that is settled twice must not use the credits that another request holds.
    reservationOf(await metering.reserve(id, 2));
    await reservation.settle(2, entry('x'));
    await expect(reservation.settle(0, entry('x'))).rejects.toMatchObject({ code: 'internal' });
    expect(await stateOf(store, id)).toEqual([8, 2, 1, 0]);
    await audit({ snapshot });
  });

  it('are not charged if they have been refunded in the meantime', async () => {
    const { store, database, snapshot, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await metering.reserve(id, 2));
    // Other processes release the reservations of a dead process like this.
    await database.write(async (sql) => {
      await sql.updateTable('holds').set({ amount: 0 }).execute();
      await sql.updateTable('accounts').set({ reserved: 0 }).execute();
    });
    // The embedded store needs a disk without working locks for this; for a database, a short outage is enough.
    await expect(reservation.settle(2, entry('x'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:internal|store_unavailable)$/) as string,
    });
    expect(await stateOf(store, id)).toEqual([10, 0, 0, 0]);
    await audit({ snapshot });
  });

  it('are not required to count a request', async () => {
    const { store, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    await Promise.all([true, false, true].map((successful) => metering.countRequest(id, successful)));
    expect(await stateOf(store, id)).toEqual([10, 0, 2, 1]);
  });

  it('allow many charges to be written at once', async () => {
    const { store, database, snapshot, instance } = await openInstance(place);
    const { metering } = instance;
    const { id } = await accountWith(store, 1000);
    const indexes = Array.from({ length: 250 }, (_, i) => i);
    const held = await Promise.all(indexes.map(async () => reservationOf(await metering.reserve(id, 2))));
    await Promise.all(held.map((reservation, i) => reservation.settle(i % 3, entry(`request ${i}`))));
    const rows = await database.sql
      .selectFrom('ledger')
      .select('reference')
      .where('amount', '<', 0)
      .orderBy('id')
      .execute();
    expect(rows.map(({ reference }) => reference)).toEqual(
      indexes.filter((i) => i % 3 > 0).map((i) => `request ${i}`),
    );
    await audit({ snapshot });
  });
});
