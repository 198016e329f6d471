import { DragomanError } from '../../base/errors.ts';
import type { Shortage } from '../store.ts';
import type { Sql } from './database.ts';

/**
 * Reserves credits in a transaction. The caller stores the amount in its own row, and settles it with {@link
 * chargeReserved}. The update contains the condition, so other processes cannot interfere.
 *
 * @returns undefined if the credits could be reserved
 */
export async function reserveFor(sql: Sql, accountId: string, amount: number): Promise<Shortage | undefined> {
  requireAmount(amount);
  const { numUpdatedRows } = await sql
    .updateTable('accounts')
    .set((eb) => ({ reserved: eb('reserved', '+', amount) }))
    .where('id', '=', accountId)
    .where((eb) => eb(eb('balance', '-', eb.ref('reserved')), '>=', amount))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return undefined;
  const row = await sql
    .selectFrom('accounts')
    .select((eb) => eb('balance', '-', eb.ref('reserved')).as('remaining'))
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!row) throw new DragomanError('not_found', 'there is no such account');
  return { remaining: row.remaining };
}

export interface ReservedCharge {
  readonly accountId: string;
  /** The reserved amount to release. */
  readonly reserved: number;
  /** The used amount, at most `reserved`. */
  readonly charge: number;
  readonly operation: string;
  readonly reference: string;
  readonly now: number;
}

/** Charges the used part of credits that {@link reserveFor} reserved and releases the rest, in a transaction. */
export async function chargeReserved(
  sql: Sql,
  { accountId, reserved, charge, operation, reference, now }: ReservedCharge,
): Promise<void> {
  requireAmount(reserved);
  requireAmount(charge, reserved);
  await sql
    .updateTable('accounts')
    .set((eb) => ({ reserved: eb('reserved', '-', reserved), balance: eb('balance', '-', charge) }))
    .where('id', '=', accountId)
    .execute();
  if (charge > 0) await recordEntry(sql, { accountId, amount: -charge, operation, reference, now });
}

interface LedgerEntry {
  readonly accountId: string;
  /** Positive for a grant, negative for a charge. */
  readonly amount: number;
  readonly operation: string;
  /** The id of the request or job; null for a grant. */
  readonly reference: string | null;
  readonly now: number;
}

export async function recordEntry(
  sql: Sql,
  { accountId, amount, operation, reference, now }: LedgerEntry,
): Promise<void> {
  await sql
    .insertInto('ledger')
    .values({ account_id: accountId, amount, operation, reference, created_at: now })
    .execute();
}

export function requireAmount(amount: number, limit = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(amount) && amount >= 0 && amount <= limit) return;
  throw new DragomanError('internal', `${amount} is not a number of credits from 0 to ${limit}`);
}
