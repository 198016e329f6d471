import { randomBytes, randomUUID } from 'node:crypto';
import { DragomanError } from '../base/errors.ts';
import { accountByEmail, requireAccount, toAccount, type Account } from './account.ts';
import type { Database, Sql } from './database.ts';
import { addKey, toKeyInfo, type KeyInfo } from './keys.ts';
import { recordGrant } from './ledger.ts';

export type { Account } from './account.ts';

export interface NewAccount {
  readonly email: string;
  readonly fullName: string;
  /** Granted at once; 0 for none. */
  readonly credits: number;
}

/**
 * Makes an account with its first key, which is given here and never again: only its hash is stored.
 *
 * @throws DragomanError `usage` when the address has an account, or the credits are no amount.
 */
export async function createAccount(
  database: Database,
  { email, fullName, credits }: NewAccount,
): Promise<{ readonly account: Account; readonly key: string }> {
  return database.write(async (sql) => {
    if (await accountByEmail(sql, email)) {
      throw new DragomanError('usage', `${email} has an account already`, {
        hint: 'dragoman keys reset gives it a new key, dragoman keys credit more credits.',
      });
    }
    const now = Date.now();
    const id = randomUUID();
    await sql
      .insertInto('accounts')
      .values({
        id,
        email,
        full_name: fullName,
        granted: 0,
        balance: 0,
        reserved: 0,
        requests_successful: 0,
        requests_failed: 0,
        webhook_secret: `whsec_${randomBytes(32).toString('base64')}`,
        created_at: now,
      })
      .execute();
    const key = await addKey(sql, id, now);
    await grant(sql, await requireAccount(sql, email), credits, now);
    return { account: await requireAccount(sql, email), key };
  });
}

export async function findAccount(database: Database, id: string): Promise<Account | undefined> {
  const row = await database.sql.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toAccount(row);
}

/** @throws DragomanError `not_found`, with the address that was probably meant. */
export async function requireAccountByEmail(database: Database, email: string): Promise<Account> {
  return requireAccount(database.sql, email);
}

/** All accounts with all their keys, revoked ones too, in the order of their making. */
export async function listAccounts(
  database: Database,
): Promise<readonly (Account & { readonly keys: readonly KeyInfo[] })[]> {
  const { sql } = database;
  const accounts = await sql.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
  const keys = await sql.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id').execute();
  const keysOf = new Map<string, KeyInfo[]>();
  for (const row of keys) {
    const others = keysOf.get(row.account_id);
    if (others) others.push(toKeyInfo(row));
    else keysOf.set(row.account_id, [toKeyInfo(row)]);
  }
  return accounts.map((row) => Object.assign(toAccount(row), { keys: keysOf.get(row.id) ?? [] }));
}

/**
 * Adds credits to an account.
 *
 * @throws DragomanError `not_found`; `usage` when `amount` is no whole number of at least 0, or too much.
 */
export async function grantCredits(database: Database, email: string, amount: number): Promise<Account> {
  return database.write(async (sql) => {
    await grant(sql, await requireAccount(sql, email), amount, Date.now());
    return requireAccount(sql, email);
  });
}

async function grant(sql: Sql, account: Account, amount: number, now: number): Promise<void> {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new DragomanError('usage', 'credits are a whole number of at least 0');
  }
  // Beyond that, sums would no longer be exact.
  if (!Number.isSafeInteger(account.granted + amount)) {
    throw new DragomanError('usage', `an account cannot have more than ${Number.MAX_SAFE_INTEGER} credits`);
  }
  if (amount === 0) return;
  await recordGrant(sql, account.id, amount, now);
  await sql
    .updateTable('accounts')
    .set((eb) => ({ granted: eb('granted', '+', amount), balance: eb('balance', '+', amount) }))
    .where('id', '=', account.id)
    .execute();
}
