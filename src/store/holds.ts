import { DragomanError } from '../base/errors.ts';
import type { Sql } from './database.ts';
import { recordCharges, type Charge } from './ledger.ts';

interface Wanted {
  readonly accountId: string;
  readonly amount: number;
}

/** A reservation at its end: `amount` was held, `charge` of it is spent. */
export interface Settlement extends Wanted {
  readonly charge: number;
  readonly operation: string;
  readonly reference: string;
  readonly successful: boolean;
}

/** Reserves if it fits. The condition is part of the update: no other process can come between. */
export async function reserveOnce(sql: Sql, accountId: string, amount: number): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('accounts')
    .set((eb) => ({ reserved: eb('reserved', '+', amount) }))
    .where('id', '=', accountId)
    .where((eb) => eb(eb('balance', '-', eb.ref('reserved')), '>=', amount))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** What can be spent. */
export async function remainingOf(sql: Sql, accountId: string): Promise<number> {
  const row = await sql
    .selectFrom('accounts')
    .select((eb) => eb('balance', '-', eb.ref('reserved')).as('remaining'))
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!row) throw new DragomanError('not_found', 'there is no such account');
  return row.remaining;
}

/** Reserves for a process: what each call gets is undefined, or what was left when it did not fit. */
export async function reserveHeld(
  sql: Sql,
  instanceId: string,
  calls: readonly Wanted[],
): Promise<readonly ({ readonly remaining: number } | undefined)[]> {
  const shortages: ({ readonly remaining: number } | undefined)[] = calls.map(() => undefined);
  for (const [accountId, indexes] of groupByAccount(calls)) {
    const wanted = indexes.map((index) => calls[index]?.amount ?? 0);
    const left = await reserveAll(sql, accountId, wanted);
    let held = 0;
    for (const [i, remaining] of left.entries()) {
      if (remaining === undefined) held += wanted[i] ?? 0;
      else shortages[indexes[i] ?? 0] = { remaining };
    }
    if (held > 0) await hold(sql, instanceId, accountId, held);
  }
  return shortages;
}

/**
 * Reserves all amounts in one statement; where they do not all fit, those that do, in their order.
 *
 * @returns for each amount undefined, or what was left
 */
async function reserveAll(
  sql: Sql,
  accountId: string,
  amounts: readonly number[],
): Promise<readonly (number | undefined)[]> {
  let left: (number | undefined)[] = amounts.map(() => undefined);
  const fitting = (): number =>
    amounts.reduce((sum, amount, i) => (left[i] === undefined ? sum + amount : sum), 0);
  // Where transactions run side by side, what is left can shrink between the question and the update.
  while (!(await reserveOnce(sql, accountId, fitting()))) {
    let remaining = await remainingOf(sql, accountId);
    left = amounts.map((amount) => {
      if (amount > remaining) return remaining;
      remaining -= amount;
      return undefined;
    });
  }
  return left;
}

async function hold(sql: Sql, instanceId: string, accountId: string, amount: number): Promise<void> {
  await sql
    .insertInto('holds')
    .values({ instance_id: instanceId, account_id: accountId, amount })
    .onConflict((conflict) =>
      conflict
        .columns(['instance_id', 'account_id'])
        .doUpdateSet((eb) => ({ amount: eb('holds.amount', '+', eb.ref('excluded.amount')) })),
    )
    .execute();
}

/** Settles what a process holds: one update per account, however many requests of it end together. */
export async function chargeHeld(
  sql: Sql,
  instanceId: string,
  settlements: readonly Settlement[],
  now: number,
): Promise<readonly undefined[]> {
  const charges: Charge[] = [];
  for (const [accountId, indexes] of groupByAccount(settlements)) {
    const ended = indexes.flatMap((index) => settlements[index] ?? []);
    const held = sum(ended.map(({ amount }) => amount));
    const charged = sum(ended.map(({ charge }) => charge));
    const successful = ended.filter((settlement) => settlement.successful).length;
    await release(sql, instanceId, accountId, held);
    await sql
      .updateTable('accounts')
      .set((eb) => ({
        reserved: eb('reserved', '-', held),
        balance: eb('balance', '-', charged),
        requests_successful: eb('requests_successful', '+', successful),
        requests_failed: eb('requests_failed', '+', ended.length - successful),
      }))
      .where('id', '=', accountId)
      .execute();
    for (const { charge, operation, reference } of ended) {
      charges.push({ accountId, amount: charge, operation, reference });
    }
  }
  await recordCharges(sql, charges, now);
  return settlements.map(() => undefined);
}

/** A process that was taken for dead holds nothing any more, and must not charge what others may have spent since. */
async function release(sql: Sql, instanceId: string, accountId: string, amount: number): Promise<void> {
  if (amount === 0) return;
  const { numUpdatedRows } = await sql
    .updateTable('holds')
    .set((eb) => ({ amount: eb('amount', '-', amount) }))
    .where('instance_id', '=', instanceId)
    .where('account_id', '=', accountId)
    .where('amount', '>=', amount)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  throw new DragomanError('internal', 'credits were given back before their request was settled', {
    hint: 'Data directories belong on a disk of this machine, where locks of files hold.',
  });
}

export async function countRequests(
  sql: Sql,
  calls: readonly { readonly accountId: string; readonly successful: boolean }[],
): Promise<readonly undefined[]> {
  for (const [accountId, indexes] of groupByAccount(calls)) {
    const successful = indexes.filter((index) => calls[index]?.successful).length;
    await sql
      .updateTable('accounts')
      .set((eb) => ({
        requests_successful: eb('requests_successful', '+', successful),
        requests_failed: eb('requests_failed', '+', indexes.length - successful),
      }))
      .where('id', '=', accountId)
      .execute();
  }
  return calls.map(() => undefined);
}

/** The positions of each account's calls, in their order. */
function groupByAccount(
  calls: readonly { readonly accountId: string }[],
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, { accountId }] of calls.entries()) {
    const group = groups.get(accountId);
    if (group) group.push(index);
    else groups.set(accountId, [index]);
  }
  return groups;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
