import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAccount } from '../../src/store/accounts.ts';
import { isShortage, type Reservation, type Shortage } from '../../src/store/credits.ts';
import { openDatabase, type Database, type Sql } from '../../src/store/database.ts';
import { registerInstance, type Instance } from '../../src/store/instance.ts';

export const EMAIL = 'anna@example.org';

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** An open database, closed when the test is over. */
export async function openStore(directory = temporaryDirectory()): Promise<Database> {
  const database = await openDatabase(directory);
  onTestFinished(() => database.close());
  return database;
}

/** An open database with a registered process, both closed when the test is over. */
export async function openInstance(
  directory = temporaryDirectory(),
): Promise<{ database: Database; instance: Instance; directory: string }> {
  const database = await openStore(directory);
  const instance = await registerInstance(database, directory);
  onTestFinished(() => instance.close());
  return { database, instance, directory };
}

/** An account's id and key. */
export async function accountWith(
  database: Database,
  credits: number,
  email = EMAIL,
): Promise<{ id: string; key: string }> {
  const { account, key } = await createAccount(database, { email, fullName: 'Anna Schmidt', credits });
  return { id: account.id, key };
}

/** Everything that has to agree about the credits of all accounts, at one moment. */
export async function audit(database: Database): Promise<void> {
  await database.write(auditTables, { durable: false });
}

async function auditTables(sql: Sql): Promise<void> {
  const accounts = await sql.selectFrom('accounts').selectAll().execute();
  const ledger = await sql.selectFrom('ledger').selectAll().execute();
  const holds = await sql.selectFrom('holds').selectAll().execute();
  const jobs = await sql.selectFrom('jobs').selectAll().execute();
  const total = (rows: readonly { account_id: string }[], id: string, of: 'amount' | 'reserved'): number =>
    rows
      .filter((row) => row.account_id === id)
      .reduce((sum, row) => sum + Number((row as Record<string, unknown>)[of]), 0);
  for (const { id, balance, reserved, granted } of accounts) {
    const grants = ledger.filter(({ operation }) => operation === 'grant');
    const found = {
      ledger: total(ledger, id, 'amount'),
      reserved: total(holds, id, 'amount') + total(jobs, id, 'reserved'),
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

/** A job of an account that has reserved credits. */
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
