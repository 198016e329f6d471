import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Credits } from '../../src/store/credits.ts';
import type { Database } from '../../src/store/database.ts';
import { registerInstance } from '../../src/store/instance.ts';
import {
  accountWith,
  audit,
  jobRow,
  openInstance,
  openStore,
  reservationOf,
  temporaryDirectory,
} from './harness.ts';

/** What a process leaves behind that was killed: its rows, without its lock. */
async function leaveBehind(database: Database, id: string, accountId: string): Promise<void> {
  await database.write(async (sql) => {
    await sql.insertInto('instances').values({ id, started_at: 0 }).execute();
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

const locksOf = (directory: string): readonly string[] => readdirSync(join(directory, 'instances'));

describe('an instance', () => {
  it('has a lock while it lives, and leaves nothing behind', async () => {
    const { database, instance, directory } = await openInstance();
    expect(locksOf(directory)).toEqual([`${instance.id}.lock`]);
    await Promise.all([instance.close(), instance.close()]);
    expect(locksOf(directory)).toEqual([]);
    expect(await database.sql.selectFrom('instances').selectAll().execute()).toEqual([]);
  });

  it('is not taken for dead while it lives, by others in its process or by itself', async () => {
    const { database, instance, directory } = await openInstance();
    const { id } = await accountWith(database, 10);
    const reservation = reservationOf(await new Credits(database, instance.id).reserve(id, 3));
    const other = await openInstance(directory);
    expect(await other.instance.reap()).toEqual([]);
    expect(await instance.reap()).toEqual([]);
    expect(locksOf(directory)).toHaveLength(2);
    await reservation.settle(3, { operation: 'translate', reference: 'x', successful: true });
    await audit(database);
  });

  it('gives back what a dead one had', async () => {
    const { database, instance, directory } = await openInstance();
    const { id } = await accountWith(database, 10);
    await leaveBehind(database, 'dead', id);
    await audit(database);
    expect(await instance.reap()).toEqual(['dead']);
    await audit(database);
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
    expect(locksOf(directory)).toEqual([`${instance.id}.lock`]);
    expect(await instance.reap()).toEqual([]);
  });

  it('finds the dead ones before it begins, and files without a row', async () => {
    const directory = temporaryDirectory();
    const database = await openStore(directory);
    const { id } = await accountWith(database, 10);
    await leaveBehind(database, 'dead', id);
    mkdirSync(join(directory, 'instances'));
    writeFileSync(join(directory, 'instances', 'orphan.lock'), '');
    const instance = await registerInstance(database, directory);
    expect(await database.sql.selectFrom('instances').select('id').execute()).toEqual([{ id: instance.id }]);
    expect(locksOf(directory)).toEqual([`${instance.id}.lock`]);
    await instance.close();
  });

  it('gives back at its end what is still reserved', async () => {
    const { database, instance } = await openInstance();
    const { id } = await accountWith(database, 10);
    await new Credits(database, instance.id).reserve(id, 3);
    await instance.close();
    expect(await database.sql.selectFrom('accounts').select('reserved').execute()).toEqual([{ reserved: 0 }]);
    await audit(database);
  });

  it('is named in an error when its directory cannot hold locks', async () => {
    const directory = temporaryDirectory();
    const database = await openStore(directory);
    writeFileSync(join(directory, 'instances'), 'a file');
    await expect(registerInstance(database, directory)).rejects.toMatchObject({
      code: 'unwritable_output',
      message: expect.stringContaining(join(directory, 'instances')) as string,
    });
    expect(existsSync(join(directory, 'instances'))).toBe(true);
  });

  it('can be registered many at once, and reaped by all', async () => {
    const directory = temporaryDirectory();
    const all = await Promise.all(Array.from({ length: 8 }, () => openInstance(directory)));
    const reaped = await Promise.all(all.map(({ instance }) => instance.reap()));
    expect(reaped.flat()).toEqual([]);
    expect(locksOf(directory)).toHaveLength(8);
  });
});
