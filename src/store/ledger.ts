import type { Sql } from './database.ts';

/** What was charged, for what. `amount` is positive. */
export interface Charge {
  readonly accountId: string;
  readonly amount: number;
  readonly operation: string;
  /** The request's or the job's id. */
  readonly reference: string;
}

/** More rows make a statement longer and nothing faster. */
const ROWS_PER_STATEMENT = 100;

export async function recordGrant(sql: Sql, accountId: string, amount: number, now: number): Promise<void> {
  await sql
    .insertInto('ledger')
    .values({ account_id: accountId, amount, operation: 'grant', reference: null, created_at: now })
    .execute();
}

/** Writes charges down in their order; those of nothing are left out. */
export async function recordCharges(sql: Sql, charges: readonly Charge[], now: number): Promise<void> {
  const rows = charges
    .filter(({ amount }) => amount > 0)
    .map(({ accountId, amount, operation, reference }) => ({
      account_id: accountId,
      amount: -amount,
      operation,
      reference,
      created_at: now,
    }));
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await sql
      .insertInto('ledger')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
}
