import { join } from 'node:path';
import Sqlite from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findAccount } from '../../src/store/accounts.ts';
import { chargeReserved, Credits, isShortage, reserveFor } from '../../src/store/credits.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { registerInstance } from '../../src/store/instance.ts';
import { accountWith, audit, openInstance, openStore, reservationOf, temporaryDirectory } from './harness.ts';

const entry = (reference: string, successful = true) => ({ operation: 'translate', reference, successful });

async function stateOf(database: Database, id: string): Promise<unknown> {
  const account = await findAccount(database, id);
  return account && [account.balance, account.reserved, account.requestsSuccessful, account.requestsFailed];
}

describe('credits', () => {
  it('are reserved before the work and settled after it', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    const credits = new Credits(database, instance.id, () => 1234);
    const reservation = reservationOf(await credits.reserve(id, 7));
    expect(await stateOf(database, id)).toEqual([10, 7, 0, 0]);
    await audit(database);
    await reservation.settle(3, entry('request 1'));
    expect(await stateOf(database, id)).toEqual([7, 0, 1, 0]);
    await audit(database);
    const row = await database.sql
      .selectFrom('ledger')
      .selectAll()
      .where('amount', '<', 0)
      .executeTakeFirst();
    expect(row).toMatchObject({
      amount: -3,
      operation: 'translate',
      reference: 'request 1',
      created_at: 1234,
    });
  });

  it('of a failure are all given back, without a row in the ledger', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    const credits = new Credits(database, instance.id);
    await reservationOf(await credits.reserve(id, 7)).settle(0, entry('request 1', false));
    expect(await stateOf(database, id)).toEqual([10, 0, 0, 1]);
    expect(await database.sql.selectFrom('ledger').selectAll().execute()).toHaveLength(1);
  });

  it('that are too few are not reserved: n is, n + 1 is not', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    const credits = new Credits(database, instance.id);
    expect(await credits.reserve(id, 11)).toEqual({ remaining: 10 });
    reservationOf(await credits.reserve(id, 10));
    expect(await credits.reserve(id, 1)).toEqual({ remaining: 0 });
    reservationOf(await credits.reserve(id, 0));
    await audit(database);
  });

  it('wanted at the same time go to those that fit, in their order', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    const other = await accountWith(database, 3, 'bernd@example.org');
    const credits = new Credits(database, instance.id);
    const answers = await Promise.all([
      ...[6, 5, 3, 2, 1].map((amount) => credits.reserve(id, amount)),
      credits.reserve(other.id, 3),
    ]);
    expect(answers.map((answer) => (isShortage(answer) ? answer.remaining : `got ${answer.amount}`))).toEqual(
      ['got 6', 4, 'got 3', 1, 'got 1', 'got 3'],
    );
    expect(await stateOf(database, id)).toEqual([10, 10, 0, 0]);
    await audit(database);
  });

  it('100 of them serve exactly 100 of 200 requests at once', async () => {
    const { database, instance, directory } = await openInstance();
    const { id } = await accountWith(database, 100);
    const second = await openStore(directory);
    const secondInstance = await registerInstance(second, directory);
    const counters = [new Credits(database, instance.id), new Credits(second, secondInstance.id)];
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const answer = await counters[i % 2]!.reserve(id, 1);
        if (isShortage(answer)) return 0;
        await answer.settle(1, entry(`request ${i}`));
        return 1;
      }),
    );
    expect(answers.reduce((sum: number, served) => sum + served, 0)).toBe(100);
    expect(await stateOf(database, id)).toEqual([0, 0, 100, 0]);
    await audit(database);
    await secondInstance.close();
  });

  it('are settled once, and for no more than was reserved', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    const credits = new Credits(database, instance.id);
    const reservation = reservationOf(await credits.reserve(id, 2));
    for (const charge of [3, -1, 0.5]) {
      await expect(reservation.settle(charge, entry('x'))).rejects.toMatchObject({ code: 'internal' });
    }
    await expect(credits.reserve(id, -1)).rejects.toMatchObject({ code: 'internal' });
    // What another request holds cannot be settled twice in its place.
    reservationOf(await credits.reserve(id, 2));
    await reservation.settle(2, entry('x'));
    await expect(reservation.settle(0, entry('x'))).rejects.toMatchObject({ code: 'internal' });
    expect(await stateOf(database, id)).toEqual([8, 2, 1, 0]);
    await audit(database);
  });

  it('stay reserved when settling fails, and can be settled again', async () => {
    const directory = temporaryDirectory();
    const database = await openDatabase(directory, { busyMs: 20 });
    onTestFinished(() => database.close());
    const instance = await registerInstance(database, directory);
    const { id } = await accountWith(database, 10);
    const credits = new Credits(database, instance.id);
    const reservation = reservationOf(await credits.reserve(id, 2));
    const other = new Sqlite(join(directory, 'dragoman.db'));
    other.exec('begin immediate');
    await expect(reservation.settle(2, entry('x'))).rejects.toMatchObject({ code: 'unwritable_output' });
    await expect(credits.reserve(id, 1)).rejects.toMatchObject({ code: 'unwritable_output' });
    expect(await stateOf(database, id)).toEqual([10, 2, 0, 0]);
    other.exec('rollback');
    other.close();
    await reservation.settle(2, entry('x'));
    expect(await stateOf(database, id)).toEqual([8, 0, 1, 0]);
    await audit(database);
    await instance.close();
  });

  it('that were given back meanwhile are not charged', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    const reservation = reservationOf(await new Credits(database, instance.id).reserve(id, 2));
    await instance.close();
    expect(await stateOf(database, id)).toEqual([10, 0, 0, 0]);
    await expect(reservation.settle(2, entry('x'))).rejects.toMatchObject({ code: 'internal' });
    expect(await stateOf(database, id)).toEqual([10, 0, 0, 0]);
    await audit(database);
  });

  it('need not be involved for a request to be counted', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    const credits = new Credits(database, instance.id);
    await Promise.all([true, false, true].map((successful) => credits.countRequest(id, successful)));
    expect(await stateOf(database, id)).toEqual([10, 0, 2, 1]);
  });

  it('are on the disk when they are settled, and need not be before', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    const durable: unknown[] = [];
    const watched: Database = {
      ...database,
      write: (work, options) => {
        durable.push(options?.durable ?? true);
        return database.write(work, options);
      },
    };
    const credits = new Credits(watched, instance.id);
    const reservation = reservationOf(await credits.reserve(id, 1));
    await credits.countRequest(id, true);
    expect(durable).toEqual([false, false]);
    await reservation.settle(1, entry('request 1'));
    expect(durable).toEqual([false, false, true]);
  });

  it('of many requests in one tick are one work of the database', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 100);
    let works = 0;
    const watched: Database = {
      ...database,
      write: (work, options) => {
        works++;
        return database.write(work, options);
      },
    };
    const credits = new Credits(watched, instance.id);
    const held = await Promise.all(Array.from({ length: 64 }, () => credits.reserve(id, 1)));
    expect(works).toBe(1);
    await Promise.all(held.map((answer, i) => reservationOf(answer).settle(1, entry(`request ${i}`))));
    expect(works).toBe(2);
  });

  it('write many charges at once', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 1000);
    const credits = new Credits(database, instance.id);
    const indexes = Array.from({ length: 250 }, (_, i) => i);
    const held = await Promise.all(indexes.map(async () => reservationOf(await credits.reserve(id, 2))));
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
    await audit(database);
  });
});

describe('credits of jobs', () => {
  it('are reserved and charged within a transaction of the caller', async () => {
    const database = await openStore();
    const { id } = await accountWith(database, 10);
    const now = 99;
    expect(await database.write((sql) => reserveFor(sql, id, 11))).toEqual({ remaining: 10 });
    expect(await database.write((sql) => reserveFor(sql, id, 10))).toBeUndefined();
    expect(await stateOf(database, id)).toEqual([10, 10, 0, 0]);
    const charge = { accountId: id, operation: 'i18n', reference: 'job 1', now };
    await database.write((sql) => chargeReserved(sql, { ...charge, reserved: 6, charge: 4 }));
    await database.write((sql) => chargeReserved(sql, { ...charge, reserved: 4, charge: 0 }));
    expect(await stateOf(database, id)).toEqual([6, 0, 0, 0]);
    const rows = await database.sql.selectFrom('ledger').selectAll().where('amount', '<', 0).execute();
    expect(rows).toMatchObject([{ amount: -4, operation: 'i18n', reference: 'job 1', created_at: now }]);
    await audit(database);
  });

  it('go back with the transaction that fails', async () => {
    const database = await openStore();
    const { id } = await accountWith(database, 10);
    const failing = database.write(async (sql) => {
      await reserveFor(sql, id, 5);
      throw new Error('the job cannot be created');
    });
    await expect(failing).rejects.toThrow('the job cannot be created');
    expect(await stateOf(database, id)).toEqual([10, 0, 0, 0]);
  });

  it('cannot be charged beyond what was reserved', async () => {
    const database = await openStore();
    const { id } = await accountWith(database, 10);
    const charge = { accountId: id, operation: 'i18n', reference: 'job 1', now: 0 };
    await expect(
      database.write((sql) => chargeReserved(sql, { ...charge, reserved: 1, charge: 2 })),
    ).rejects.toMatchObject({ code: 'internal' });
    // Nothing is reserved: the table itself refuses.
    await expect(
      database.write((sql) => chargeReserved(sql, { ...charge, reserved: 1, charge: 1 })),
    ).rejects.toThrow(/spendable/);
    expect(await stateOf(database, id)).toEqual([10, 0, 0, 0]);
  });
});
