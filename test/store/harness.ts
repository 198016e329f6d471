import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql as query } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Database, Sql } from '../../src/store/shared/database.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { PostgresConnections } from '../../src/store/postgres/connections.ts';
import { openDatabase as openPostgresDatabase } from '../../src/store/postgres/database.ts';
import type { Liveness } from '../../src/store/postgres/instance.ts';
import { settingsOf } from '../../src/store/postgres/place.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import {
  isShortage,
  type Instance,
  type InstanceOptions,
  type Reservation,
  type Shortage,
  type Store,
} from '../../src/store/store.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { makeStore } from '../postgres/store.ts';

export const EMAIL = 'anna@example.org';

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A place whose store may be opened several times; removed after the test. */
export interface TestPlace {
  /** Direct access to the tables, bypassing the store. */
  readonly database: Database;
  /** Another store on the same tables, closed after the test. */
  readonly open: () => Promise<Store>;
  /** Makes a process look dead, whether it is still registered or was already found dead. */
  readonly bury: (instanceId: string) => Promise<void>;
  /** Reads the tables in one snapshot. */
  readonly snapshot: (read: (sql: Sql) => Promise<void>) => Promise<void>;
}

export interface TestStore extends TestPlace {
  readonly store: Store;
}

/** The stores that must fulfil the contract. */
export const STORES: readonly { readonly name: string; readonly place: () => Promise<TestPlace> }[] = [
  { name: 'sqlite', place: () => sqlitePlace() },
  ...(hasPostgres ? [{ name: 'postgres', place: () => postgresPlace() }] : []),
];

/** With these limits, a process is found dead only after a test calls `bury`. */
const FOR_EVER: Liveness = { beatMs: 3_600_000, deadMs: 3_600_000, silentMs: 3_600_000 };

export async function postgresPlace(url?: string, liveness = FOR_EVER): Promise<TestPlace> {
  const place = { url: url ?? (await makeStore()) };
  const database = openPostgresDatabase(new PostgresConnections(settingsOf(place)));
  onTestFinished(() => database.close());
  const open = async (): Promise<Store> => {
    const store = await openPostgresStore(place, liveness);
    onTestFinished(() => store.close());
    return store;
  };
  const bury = async (id: string): Promise<void> => {
    await database.write(async (sql) => {
      await query`
        insert into instances (id, started_at) values (${id}, 0)
        on conflict (id) do update set beat_at = 0`.execute(sql);
    });
  };
  const snapshot = (read: (sql: Sql) => Promise<void>): Promise<void> =>
    database.sql.transaction().setIsolationLevel('repeatable read').execute(read);
  return { database, open, bury, snapshot };
}

export async function sqlitePlace(directory = temporaryDirectory()): Promise<TestPlace> {
  const database = await openDatabase(directory);
  onTestFinished(() => database.close());
  const open = async (): Promise<Store> => {
    const store = await openSqliteStore(directory);
    onTestFinished(() => store.close());
    return store;
  };
  const bury = async (id: string): Promise<void> => {
    rmSync(join(directory, 'instances', `${id}.lock`), { force: true });
    await database.write((sql) =>
      sql
        .insertInto('instances')
        .values({ id, started_at: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  };
  const snapshot = (read: (sql: Sql) => Promise<void>): Promise<void> =>
    database.write(read, { durable: false });
  return { database, open, bury, snapshot };
}

export async function openStore(makePlace: () => Promise<TestPlace>): Promise<TestStore> {
  const place = await makePlace();
  return { ...place, store: await place.open() };
}

/** An open store with a registered process, both closed after the test. */
export async function openInstance(
  makePlace: () => Promise<TestPlace>,
  options?: InstanceOptions,
): Promise<TestStore & { readonly instance: Instance }> {
  const opened = await openStore(makePlace);
  return { ...opened, instance: await register(opened.store, options) };
}

export async function register(store: Store, options?: InstanceOptions): Promise<Instance> {
  const instance = await store.register(options);
  onTestFinished(() => instance.close());
  return instance;
}

/** An account's id and key. */
export async function accountWith(
  { accounts }: Store,
  credits: number,
  email = EMAIL,
): Promise<{ id: string; key: string }> {
  const { account, key } = await accounts.create({ email, fullName: 'Anna Schmidt', credits });
  return { id: account.id, key };
}

/** Everything that must agree about the credits of all accounts, in one snapshot. */
export function audit({ snapshot }: Pick<TestPlace, 'snapshot'>): Promise<void> {
  return snapshot(auditTables);
}

async function auditTables(sql: Sql): Promise<void> {
  const accounts = await sql.selectFrom('accounts').selectAll().execute();
  const ledger = await sql.selectFrom('ledger').selectAll().execute();
  const holds = await sql.selectFrom('holds').selectAll().execute();
  const jobs = await sql.selectFrom('jobs').selectAll().execute();
  const deleted = await sql.selectFrom('deleted_units').selectAll().execute();
  const total = (rows: readonly { account_id: string }[], id: string, of: 'amount' | 'reserved'): number =>
    rows
      .filter((row) => row.account_id === id)
      .reduce((sum, row) => sum + Number((row as Record<string, unknown>)[of]), 0);
  for (const { id, balance, reserved, granted } of accounts) {
    const grants = ledger.filter(({ operation }) => operation === 'grant');
    const found = {
      ledger: total(ledger, id, 'amount'),
      reserved: total(holds, id, 'amount') + total(jobs, id, 'reserved') + total(deleted, id, 'reserved'),
      granted: total(grants, id, 'amount'),
      withinBalance: 0 <= reserved && reserved <= balance,
    };
    const expected = { ledger: balance, reserved, granted, withinBalance: true };
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      throw new Error(`credits of ${id}: ${JSON.stringify(expected)}, but ${JSON.stringify(found)}`);
    }
  }
}

export function reservationOf(answer: Reservation | Shortage): Reservation {
  if (isShortage(answer)) throw new Error(`only ${answer.remaining} credits are left`);
  return answer;
}

/** A job with reserved credits. */
export function jobRow(id: string, accountId: string, reserved: number) {
  return {
    id,
    account_id: accountId,
    status: 'processing' as const,
    filename: 'a.json',
    file_type: 'json' as const,
    source_language: 'en',
    target_languages: '["fr","es","de"]',
    total_keys: 1,
    translated_keys: 0,
    failed_keys: 0,
    error_message: null,
    webhook_url: null,
    reserved,
    created_at: 0,
    updated_at: 0,
    completed_at: null,
  };
}
