import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql as query } from 'kysely';
import Sqlite from 'libsql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database, Sql } from '../../src/store/shared/database.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { accountWith, register, reservationOf, sqlitePlace, temporaryDirectory } from './harness.ts';
import { MeteringThread } from '../../src/store/sqlite/metering-thread.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

const insert = (id: string) => async (sql: Sql) => {
  await sql.insertInto('instances').values({ id, started_at: 0 }).execute();
  return id;
};

const insertThenFail = (id: string) => async (sql: Sql) => {
  await insert(id)(sql);
  throw new Error(`${id} failed`);
};

async function idsIn({ sql }: Database): Promise<readonly string[]> {
  const rows = await sql.selectFrom('instances').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

async function openStore(directory = temporaryDirectory()): Promise<Database> {
  return (await sqlitePlace(directory)).database;
}

/** A connection that bypasses the store's rules. */
function connectRaw(directory: string): Sqlite.Database {
  const connection = new Sqlite(join(directory, 'dragoman.db'));
  onTestFinished(() => {
    connection.close();
  });
  return connection;
}

describe('the database', () => {
  it('creates its directory, accessible only to its owner', async () => {
    const directory = join(temporaryDirectory(), 'a', 'b');
    await openStore(directory);
    if (process.platform === 'win32') return;
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(join(directory, `dragoman.db${suffix}`)).mode & 0o777, suffix).toBe(0o600);
    }
  });

  it('is a file of its owner even in a directory that others may read', async () => {
    const directory = join(temporaryDirectory(), 'shared');
    mkdirSync(directory, { mode: 0o755 });
    await openStore(directory);
    if (process.platform !== 'win32') {
      expect(statSync(join(directory, 'dragoman.db-wal')).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps written rows', async () => {
    const directory = temporaryDirectory();
    const first = await openDatabase(directory);
    await first.write(insert('a'), { durable: false });
    await first.close();
    expect(await idsIn(await openStore(directory))).toEqual(['a']);
  });

  it('commits earlier writes before it closes', async () => {
    const directory = temporaryDirectory();
    const first = await openDatabase(directory);
    const written = first.write(insert('a'));
    await first.close();
    expect(await written).toBe('a');
    expect(await idsIn(await openStore(directory))).toEqual(['a']);
  });

  it('undoes only the work that fails, whether it shares its transaction or not', async () => {
    const database = await openStore();
    const together = await Promise.allSettled([
      database.write(insert('a')),
      database.write(insertThenFail('b')),
      database.write(insert('c'), { durable: false }),
      database.write(insert('a')),
      database.write(insert('d')),
    ]);
    expect(together.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    await expect(database.write(insertThenFail('e'))).rejects.toThrow('e failed');
    await expect(database.write(insert('a'))).rejects.toThrow(/UNIQUE|constraint/i);
    expect(await idsIn(database)).toEqual(['a', 'c', 'd']);
    // No transaction is left open.
    await database.write(insert('f'));
    expect(await idsIn(database)).toEqual(['a', 'c', 'd', 'f']);
  });

  it('waits for the disk if work in the transaction requires it', async () => {
    const database = await openStore();
    const synchronous = async (sql: Sql): Promise<unknown> => {
      const { rows } = await query<{ synchronous: number }>`pragma synchronous`.execute(sql);
      return rows[0]?.synchronous;
    };
    const [NORMAL, FULL] = [1, 2];
    expect(await database.write(synchronous)).toBe(FULL);
    expect(await database.write(synchronous, { durable: false })).toBe(NORMAL);
    const both = [database.write(synchronous, { durable: false }), database.write(synchronous)];
    expect(await Promise.all(both)).toEqual([FULL, FULL]);
  });

  it('shows other connections nothing before the commit, and all of a transaction after it', async () => {
    const directory = temporaryDirectory();
    const [writer, reader] = [await openStore(directory), await openStore(directory)];
    await writer.write(async (sql) => {
      await insert('a')(sql);
      expect(await idsIn(reader)).toEqual([]);
    });
    expect(await idsIn(reader)).toEqual(['a']);
  });

  it('reports when another process writes for too long', async () => {
    const directory = temporaryDirectory();
    const database = await openDatabase(directory, { busyMs: 30 });
    onTestFinished(() => database.close());
    const other = connectRaw(directory);
    other.exec('begin immediate');
    const refused = await database.write(insert('a')).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'unwritable_output',
      message: expect.stringMatching(/locked/) as string,
    });
    // Existing data can still be read.
    expect(await idsIn(database)).toEqual([]);
    other.exec('commit');
    expect(await database.write(insert('a'))).toBe('a');
  });

  it('waits for a process that is creating the same store', async () => {
    const directory = temporaryDirectory();
    const other = connectRaw(directory);
    other.exec('begin immediate');
    const opening = openDatabase(directory, { busyMs: 1 });
    setTimeout(() => other.exec('rollback'), 30);
    const database = await opening;
    expect(await database.write(insert('a'))).toBe('a');
    await database.close();
  });

  it('is refused at an impossible path', async () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, 'file'), '');
    await expect(openDatabase(join(root, 'file'))).rejects.toMatchObject({ code: 'unwritable_output' });
    mkdirSync(join(root, 'garbage'));
    writeFileSync(
      join(root, 'garbage', 'dragoman.db'),
      'this is no database, but quite a long text'.repeat(100),
    );
    await expect(openDatabase(join(root, 'garbage'))).rejects.toMatchObject({
      code: 'unwritable_output',
      message: expect.stringContaining(join(root, 'garbage', 'dragoman.db')) as string,
    });
  });

  it('of a newer version is left unchanged', async () => {
    const directory = temporaryDirectory();
    await (await openDatabase(directory)).close();
    connectRaw(directory).exec('pragma user_version = 999');
    await expect(openDatabase(directory)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/newer version/) as string,
      hint: expect.stringMatching(/Update dragoman/) as string,
    });
    expect(connectRaw(directory).pragma('user_version')).toEqual([{ user_version: 999 }]);
    expect(existsSync(join(directory, 'dragoman.db'))).toBe(true);
  });

  it('creates its tables completely or not at all', async () => {
    const directory = temporaryDirectory();
    mkdirSync(directory, { recursive: true });
    // A table of the last steps already exists, as if somebody else had created it.
    const raw = connectRaw(directory);
    raw.exec('create table webhook_deliveries (x)');
    await expect(openDatabase(directory)).rejects.toThrow(/webhook_deliveries/);
    expect(raw.prepare("select name from sqlite_master where type = 'table'").all()).toEqual([
      { name: 'webhook_deliveries' },
    ]);
  });
});

describe('the metering of the embedded store', () => {
  const entry = { operation: 'translate', reference: 'x', successful: true };

  it('fails while another process writes for too long, and can be retried', async () => {
    const directory = temporaryDirectory();
    const store = await openSqliteStore(directory, { busyMs: 20 });
    onTestFinished(() => store.close());
    const instance = await register(store);
    const { metering } = instance;
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await metering.reserve(id, 2));
    const other = connectRaw(directory);
    other.exec('begin immediate');
    const refused = { code: 'unwritable_output', message: expect.stringMatching(/locked/) as string };
    await expect(reservation.settle(2, entry)).rejects.toMatchObject(refused);
    await expect(metering.reserve(id, 1)).rejects.toMatchObject(refused);
    await expect(instance.ready()).rejects.toMatchObject(refused);
    expect(await store.accounts.find(id)).toMatchObject({ balance: 10, reserved: 2 });
    other.exec('rollback');
    await reservation.settle(2, entry);
    expect(await store.accounts.find(id)).toMatchObject({ balance: 8, reserved: 0 });
  });

  it('refunds requests that ended while the disk was full', async () => {
    const directory = temporaryDirectory();
    const store = await openSqliteStore(directory, { busyMs: 20 });
    onTestFinished(() => store.close());
    const { metering } = await register(store);
    const { id } = await accountWith(store, 10);
    const [charged, failed] = await Promise.all(
      [2, 3].map(async (amount) => reservationOf(await metering.reserve(id, amount))),
    );
    const other = connectRaw(directory);
    other.exec('begin immediate');
    // Like a server, this settles with zero: work that cannot be charged must be free.
    await expect(charged?.settle(2, entry)).rejects.toMatchObject({ code: 'unwritable_output' });
    await charged?.settle(0, { ...entry, successful: false });
    await failed?.settle(0, { ...entry, successful: false });
    expect(await store.accounts.find(id)).toMatchObject({ balance: 10, reserved: 5 });
    other.exec('rollback');
    await vi.waitFor(
      async () =>
        expect(await store.accounts.find(id)).toMatchObject({ balance: 10, reserved: 0, requestsFailed: 2 }),
      10_000,
    );
    await expect(failed?.settle(0, entry)).rejects.toMatchObject({ code: 'internal' });
  });

  it('runs the other calls of a batch when the tables refuse one', async () => {
    const directory = temporaryDirectory();
    const place = await sqlitePlace(directory);
    const store = await place.open();
    const { metering } = await register(store);
    const anna = await accountWith(store, 10);
    const bernd = await accountWith(store, 10, 'bernd@example.org');
    const held = await Promise.all([anna, bernd].map(async ({ id }) => metering.reserve(id, 4)));
    // A state that no program creates: held credits are no longer part of the reserved ones.
    await place.database.sql.updateTable('accounts').set({ reserved: 0 }).where('id', '=', anna.id).execute();
    const both = await Promise.allSettled(held.map((answer) => reservationOf(answer).settle(3, entry)));
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await store.accounts.find(anna.id)).toMatchObject({ balance: 10, reserved: 0 });
    expect(await store.accounts.find(bernd.id)).toMatchObject({ balance: 7, reserved: 0 });
    await place.database.sql.updateTable('accounts').set({ reserved: 4 }).where('id', '=', anna.id).execute();
  });

  it('commits once for many requests', async () => {
    const directory = temporaryDirectory();
    const store = await (await sqlitePlace(directory)).open();
    const { metering } = await register(store);
    const { id } = await accountWith(store, 100);
    const held = await Promise.all(Array.from({ length: 64 }, () => metering.reserve(id, 1)));
    const log = (): number => statSync(join(directory, 'dragoman.db-wal')).size;
    const before = log();
    await Promise.all(held.map((answer) => reservationOf(answer).settle(1, entry)));
    // The log stays small, because each commit writes the pages that it has changed.
    expect(log() - before).toBeLessThan(64 * 4096);
    expect(await store.accounts.find(id)).toMatchObject({ balance: 36, reserved: 0, requestsSuccessful: 64 });
  });

  /** A thread whose waits for the disk end when a test ends them. */
  async function threadOnDisk() {
    const directory = temporaryDirectory();
    const store = await (await sqlitePlace(directory)).open();
    const instance = await register(store);
    const { id } = await accountWith(store, 100);
    const waits: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
    const log = {
      sync: () => new Promise<void>((resolve, reject) => waits.push({ resolve, reject })),
      close: () => Promise.resolve(),
    };
    const settings = {
      file: join(directory, 'dragoman.db'),
      busyMs: undefined,
      instanceId: instance.id,
      windowMs: 60_000,
    };
    const thread = new MeteringThread(settings, { now: Date.now, windowNow: Date.now }, log);
    onTestFinished(() => thread.close());
    return { thread, store, waits, held: { accountId: id, amount: 2 } };
  }

  it('answers a charge once it is on the disk, without delaying others', async () => {
    const { thread, store, waits, held } = await threadOnDisk();
    const order: string[] = [];
    const settle = async (name: string): Promise<void> => {
      await thread.reserve(held);
      await thread.settle({ ...held, charge: 1, ...entry });
      order.push(name);
    };
    const charge = async (name: string): Promise<void> => {
      expect(await thread.charge([held.accountId, 1, entry.operation, entry.reference, true])).toBe(true);
      order.push(name);
    };
    const first = settle('first');
    await vi.waitFor(() => expect(waits).toHaveLength(1), 10_000);
    const others = [settle('second'), charge('third')];
    await vi.waitFor(
      async () =>
        expect(await store.accounts.find(held.accountId)).toMatchObject({ balance: 97, reserved: 0 }),
      10_000,
    );
    // Committed and visible, but not answered: a power cut could still undo it.
    await thread.count({ accountId: held.accountId, successful: true });
    expect([order, waits.length]).toEqual([[], 1]);
    waits[0]?.resolve();
    await first;
    // Commits during the first wait share the second.
    expect([order, waits.length]).toEqual([['first'], 2]);
    waits[1]?.resolve();
    await Promise.all(others);
    expect([order.toSorted(), waits.length]).toEqual([['first', 'second', 'third'], 2]);
  });

  it('stops metering when charges cannot be written', async () => {
    const { thread, waits, held } = await threadOnDisk();
    await thread.reserve(held);
    const settlement = thread.settle({ ...held, charge: 1, ...entry });
    await vi.waitFor(() => expect(waits).toHaveLength(1), 10_000);
    waits[0]?.reject(new Error('EIO'));
    const lost = { code: 'internal', message: 'charges cannot be written to the disk' };
    await expect(settlement).rejects.toMatchObject(lost);
    await expect(thread.settle({ ...held, charge: 0, ...entry })).rejects.toMatchObject(lost);
    await expect(thread.charge([held.accountId, 1, 'translate', 'x', true])).rejects.toMatchObject(lost);
    await expect(thread.admit('hash')).rejects.toMatchObject(lost);
  });
});
