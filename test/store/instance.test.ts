import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  accountWith,
  audit,
  jobRow,
  openInstance,
  openStore,
  register,
  reservationOf,
  sqlitePlace,
  STORES,
  temporaryDirectory,
  type TestPlace,
} from './harness.ts';

/** Creates the rows that a killed process leaves behind, without its lock. */
async function leaveBehind({ database, bury }: TestPlace, id: string, accountId: string): Promise<void> {
  await bury(id);
  await database.write(async (sql) => {
    await sql.insertInto('holds').values({ instance_id: id, account_id: accountId, amount: 4 }).execute();
    await sql.updateTable('accounts').set({ reserved: 4 }).where('id', '=', accountId).execute();
    await sql
      .insertInto('jobs')
      .values(jobRow('job', accountId, 0))
      .execute();
    for (const [position, [code, status, instanceId]] of UNITS.entries()) {
      await sql
        .insertInto('job_units')
        .values({
          job_id: 'job',
          account_id: accountId,
          job_seq: 1,
          language_code: code,
          position,
          status,
          instance_id: instanceId === 'dead' ? id : instanceId,
          attempts: 1,
          translated_keys: 0,
          failed_keys: null,
          error_message: null,
          file_id: null,
          file_size: null,
          file_created_at: null,
        })
        .execute();
    }
    await sql
      .insertInto('webhook_deliveries')
      .values({
        id: 'delivery',
        account_id: accountId,
        job_id: 'job',
        url: 'https://example.org/',
        origin: 'https://example.org',
        body: null,
        status: 'pending',
        instance_id: id,
        attempts: 1,
        next_attempt_at: 0,
        last_error: null,
        created_at: 0,
        delivered_at: null,
      })
      .execute();
  });
}

const UNITS = [
  ['fr', 'running', 'dead'],
  ['es', 'running', 'another'],
  ['de', 'done', null],
] as const;

describe.each(STORES)('an instance ($name)', ({ place }) => {
  it('is not considered dead while it lives, neither by others in its process nor by itself', async () => {
    const { store, snapshot, instance, open } = await openInstance(place);
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await instance.metering.reserve(id, 3));
    const other = await register(await open());
    expect(await other.reap()).toEqual([]);
    expect(await instance.reap()).toEqual([]);
    expect(await instance.registered()).toEqual(new Set([instance.id, other.id]));
    await reservation.settle(3, { operation: 'translate', reference: 'x', successful: true });
    await audit({ snapshot });
  });

  it('releases the reservations of a dead instance', async () => {
    const opened = await openInstance(place);
    const { store, database, instance } = opened;
    const { id } = await accountWith(store, 10);
    await leaveBehind(opened, 'dead', id);
    await audit(opened);
    expect(await instance.reap()).toEqual(['dead']);
    await audit(opened);
    const { sql } = database;
    expect(await sql.selectFrom('holds').selectAll().execute()).toEqual([]);
    expect(await sql.selectFrom('accounts').select('reserved').execute()).toEqual([{ reserved: 0 }]);
    const units = await sql
      .selectFrom('job_units')
      .select(['language_code', 'status', 'instance_id', 'attempts'])
      .orderBy('position')
      .execute();
    expect(units).toEqual([
      { language_code: 'fr', status: 'pending', instance_id: null, attempts: 1 },
      { language_code: 'es', status: 'running', instance_id: 'another', attempts: 1 },
      { language_code: 'de', status: 'done', instance_id: null, attempts: 1 },
    ]);
    expect(await sql.selectFrom('webhook_deliveries').select('instance_id').execute()).toEqual([
      { instance_id: null },
    ]);
    expect(await instance.reap()).toEqual([]);
  });

  it('finds dead instances before it starts', async () => {
    const opened = await openStore(place);
    const { id } = await accountWith(opened.store, 10);
    await leaveBehind(opened, 'dead', id);
    const instance = await register(opened.store);
    expect(await instance.registered()).toEqual(new Set([instance.id]));
  });

  it('releases its reservations at its end', async () => {
    const { store, database, snapshot, instance } = await openInstance(place);
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await instance.metering.reserve(id, 3));
    await Promise.all([instance.close(), instance.close()]);
    expect(await database.sql.selectFrom('instances').selectAll().execute()).toEqual([]);
    expect(await store.accounts.find(id)).toMatchObject({ balance: 10, reserved: 0 });
    const late = reservation.settle(3, { operation: 'translate', reference: 'x', successful: true });
    await expect(late).rejects.toMatchObject({ code: 'interrupted' });
    await audit({ snapshot });
  });

  it('is not considered dead by instances that were registered at the same time', async () => {
    const { open } = await openStore(place);
    const all = await Promise.all(Array.from({ length: 8 }, async () => register(await open())));
    const reaped = await Promise.all(all.map((instance) => instance.reap()));
    expect(reaped.flat()).toEqual([]);
    expect((await all[0]!.registered()).size).toBe(8);
  });

  it('is ready when the store is writable', async () => {
    const { instance } = await openInstance(place);
    await expect(instance.ready()).resolves.toBeUndefined();
  });
});

const locksOf = (directory: string): readonly string[] => readdirSync(join(directory, 'instances'));

describe('the lock of an instance', () => {
  it('exists while it lives', async () => {
    const directory = temporaryDirectory();
    const { instance } = await openInstance(() => sqlitePlace(directory));
    expect(locksOf(directory)).toEqual([`${instance.id}.lock`]);
    await instance.close();
    expect(locksOf(directory)).toEqual([]);
  });

  it('without a row is removed', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'instances'));
    writeFileSync(join(directory, 'instances', 'orphan.lock'), '');
    const { instance } = await openInstance(() => sqlitePlace(directory));
    expect(locksOf(directory)).toEqual([`${instance.id}.lock`]);
  });

  it('is named in an error when its directory cannot hold locks', async () => {
    const directory = temporaryDirectory();
    const { store } = await openStore(() => sqlitePlace(directory));
    writeFileSync(join(directory, 'instances'), 'a file');
    await expect(store.register()).rejects.toMatchObject({
      code: 'unwritable_output',
      message: expect.stringContaining(join(directory, 'instances')) as string,
    });
    expect(existsSync(join(directory, 'instances'))).toBe(true);
  });
});
