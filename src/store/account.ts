import type { Selectable } from 'kysely';
import { DragomanError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { Sql } from './database.ts';
import type { AccountTable } from './schema.ts';

/** Whose keys and credits they are. Amounts are credits, times milliseconds since the epoch. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  /** All that was ever granted. */
  readonly granted: number;
  /** What was granted and not charged. */
  readonly balance: number;
  /** The part of the balance that work under way may cost: `balance - reserved` can be spent. */
  readonly reserved: number;
  readonly requestsSuccessful: number;
  readonly requestsFailed: number;
  /** Signs the account's webhooks (Standard Webhooks): `whsec_` and base64. Never to be logged. */
  readonly webhookSecret: string;
  readonly createdAt: number;
}

export function toAccount(row: Selectable<AccountTable>): Account {
  return {
    id: row.id,
    email: row.email,
    fullName: row.full_name,
    granted: row.granted,
    balance: row.balance,
    reserved: row.reserved,
    requestsSuccessful: row.requests_successful,
    requestsFailed: row.requests_failed,
    webhookSecret: row.webhook_secret,
    createdAt: row.created_at,
  };
}

export async function accountByEmail(sql: Sql, email: string): Promise<Account | undefined> {
  const row = await sql.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
  return row && toAccount(row);
}

/** @throws DragomanError `not_found`, with the address that was probably meant. */
export async function requireAccount(sql: Sql, email: string): Promise<Account> {
  const account = await accountByEmail(sql, email);
  if (account) return account;
  const rows = await sql.selectFrom('accounts').select('email').orderBy('email').execute();
  const meant = nearest(
    email,
    rows.map((row) => row.email),
  );
  const hint =
    rows.length === 0
      ? 'There are no accounts yet: dragoman keys create makes one.'
      : 'dragoman keys list shows all accounts.';
  throw new DragomanError('not_found', `there is no account with the e-mail address ${email}`, {
    hint: meant === undefined ? hint : `Did you mean ${meant}?`,
  });
}
