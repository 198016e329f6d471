import { DragomanError } from '../base/errors.ts';
import { Batch } from './batch.ts';
import type { Database, Sql } from './database.ts';
import {
  chargeHeld,
  countRequests,
  remainingOf,
  reserveHeld,
  reserveOnce,
  type Settlement,
} from './holds.ts';
import { recordCharges } from './ledger.ts';

/** The answer to a reservation that does not fit: what could be spent at that moment. */
export interface Shortage {
  readonly remaining: number;
}

/** What a charge is for. */
export interface ChargeEntry {
  /** The operation of the specification. */
  readonly operation: string;
  /** The request's id. */
  readonly reference: string;
  /** How the request is counted in the account's summary. */
  readonly successful: boolean;
}

/** Credits that no other request can spend until it is settled, or its process ends. */
export interface Reservation {
  readonly amount: number;
  /**
   * Charges `charge`, at most the amount, gives back the rest and counts the request. Durable when it resolves. Once;
   * where it fails nothing was charged, and it may be tried again.
   */
  settle(charge: number, entry: ChargeEntry): Promise<void>;
}

/** Narrows the answer of {@link Credits.reserve}. */
export function isShortage(answer: Reservation | Shortage): answer is Shortage {
  return 'remaining' in answer;
}

/**
 * The metering of requests that are answered at once. Credits are reserved before the work and settled after it, so
 * that no account ever spends more than it has, under any concurrency of requests, processes and jobs.
 */
export class Credits {
  readonly #reservations: Batch<{ accountId: string; amount: number }, Shortage | undefined>;
  readonly #settlements: Batch<Settlement, undefined>;
  readonly #requests: Batch<{ accountId: string; successful: boolean }, undefined>;

  /** @param instanceId the process's: when it dies, what it has reserved is given back */
  constructor(database: Database, instanceId: string, now: () => number = Date.now) {
    // Nothing was charged and nothing answered: a power cut undoes nothing that was answered.
    this.#reservations = new Batch(database, (sql, calls) => reserveHeld(sql, instanceId, calls), {
      durable: false,
    });
    this.#settlements = new Batch(database, (sql, calls) => chargeHeld(sql, instanceId, calls, now()), {
      durable: true,
    });
    this.#requests = new Batch(database, countRequests, { durable: false });
  }

  /** Reserves `amount`, or nothing where less than that is left. */
  async reserve(accountId: string, amount: number): Promise<Reservation | Shortage> {
    requireAmount(amount);
    const shortage = await this.#reservations.add({ accountId, amount });
    if (shortage) return shortage;
    let settled = false;
    return {
      amount,
      settle: async (charge, { operation, reference, successful }) => {
        requireAmount(charge, amount);
        if (settled) throw new DragomanError('internal', 'a reservation was settled twice');
        settled = true;
        try {
          await this.#settlements.add({ accountId, amount, charge, operation, reference, successful });
        } catch (error) {
          settled = false;
          throw error;
        }
      },
    };
  }

  /** Counts a request that reserved nothing. A power cut may lose it. */
  async countRequest(accountId: string, successful: boolean): Promise<void> {
    await this.#requests.add({ accountId, successful });
  }
}

/**
 * Reserves credits as part of a transaction; the caller keeps the amount in a row of its own, and brings it back
 * with {@link chargeReserved}.
 *
 * @returns undefined when they are reserved
 */
export async function reserveFor(sql: Sql, accountId: string, amount: number): Promise<Shortage | undefined> {
  requireAmount(amount);
  return (await reserveOnce(sql, accountId, amount))
    ? undefined
    : { remaining: await remainingOf(sql, accountId) };
}

export interface ReservedCharge {
  readonly accountId: string;
  /** How much of what was reserved is given up. */
  readonly reserved: number;
  /** How much of that was used: at most `reserved`. */
  readonly charge: number;
  readonly operation: string;
  readonly reference: string;
  readonly now: number;
}

/** Charges what was used of credits that {@link reserveFor} reserved and gives back the rest, in a transaction. */
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
  await recordCharges(sql, [{ accountId, amount: charge, operation, reference }], now);
}

function requireAmount(amount: number, limit = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(amount) && amount >= 0 && amount <= limit) return;
  throw new DragomanError('internal', `${amount} is no number of credits from 0 to ${limit}`);
}
