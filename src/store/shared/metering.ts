import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '../../base/errors.ts';
import type {
  Caller,
  ChargeEntry,
  Metering,
  RateDecision,
  RateWindowOptions,
  Reservation,
  Shortage,
} from '../store.ts';
import { hashOf } from './accounts.ts';
import { requireAmount } from './credits.ts';

/**
 * A key that was sent, as the store has it, and its window with this request; without one, nothing is counted. An array,
 * like {@link Charge}: threads hand them to each other for every request, and that takes half as long as objects do.
 */
export type Admission = readonly [
  keyId: string,
  accountId: string,
  isRevoked: boolean,
  maxConcurrency: number | null,
  spendable: number,
  windowStartedAt?: number,
  requests?: number,
];

export interface HeldCredits {
  readonly accountId: string;
  readonly amount: number;
}

/** A reservation at its end: `amount` was held, `charge` of it is spent. */
export interface Settlement extends HeldCredits, ChargeEntry {
  readonly charge: number;
}

/** Credits that are spent without a reservation. */
export type Charge = readonly [
  accountId: string,
  charge: number,
  operation: string,
  reference: string,
  successful: boolean,
];

export interface CountedRequest {
  readonly accountId: string;
  readonly successful: boolean;
}

/** What an implementation of metering can be asked. Calls of the same moment are done together. */
export interface MeteringCalls {
  admit(hash: string): Promise<Admission | undefined>;
  /** @returns undefined when it is reserved */
  reserve(wanted: HeldCredits): Promise<Shortage | undefined>;
  /** @throws DragomanError `internal` when the process holds less than `amount`: others took it for dead. */
  settle(settlement: Settlement): Promise<void>;
  /** @returns whether it is charged */
  charge(charge: Charge): Promise<boolean>;
  count(request: CountedRequest): Promise<void>;
  /** Whether it has ended: what was reserved with it is given back with the registration of the process. */
  readonly isEnded: boolean;
}

/** The limit where there is none: a number, so that a client that reads it never waits, and of 32 bits, as some read it. */
export const UNLIMITED = 2 ** 31 - 1;

const UNKNOWN: Caller = { state: 'unknown' };
const REVOKED: Caller = { state: 'revoked' };

export function meteringOf(calls: MeteringCalls, rates: RateWindowOptions | undefined): Metering {
  const debts = new Debts(calls);
  return {
    async admit(key) {
      const found = await calls.admit(hashOf(key));
      if (!found) return UNKNOWN;
      const [keyId, accountId, isRevoked, maxConcurrency, spendable, startedAt, requests] = found;
      if (isRevoked) return REVOKED;
      const rate = decide(rates, startedAt, requests);
      return {
        state: 'active',
        keyId,
        accountId,
        rate,
        spendable,
        maxConcurrency: maxConcurrency ?? undefined,
      };
    },

    async reserve(accountId, amount) {
      requireAmount(amount);
      return (await calls.reserve({ accountId, amount })) ?? reservation({ accountId, amount }, calls, debts);
    },

    async charge(accountId, amount, { operation, reference, successful }) {
      requireAmount(amount);
      return calls.charge([accountId, amount, operation, reference, successful]);
    },

    countRequest: (accountId, successful) => calls.count({ accountId, successful }),
  };
}

function decide(rates: RateWindowOptions | undefined, startedAt?: number, made = 0): RateDecision {
  const { limit = 0, windowMs = 0, now = Date.now } = rates ?? {};
  if (startedAt === undefined) {
    const resetAt = now() + windowMs;
    return { allowed: true, made, limit: UNLIMITED, remaining: UNLIMITED, resetAt };
  }
  const remaining = Math.max(0, limit - made);
  return { allowed: made <= limit, made, limit, remaining, resetAt: startedAt + windowMs };
}

function reservation(held: HeldCredits, calls: MeteringCalls, debts: Debts): Reservation {
  let state: 'open' | 'unwritten' | 'settled' = 'open';
  return {
    amount: held.amount,
    settle: async (charge, { operation, reference, successful }) => {
      requireAmount(charge, held.amount);
      if (state === 'settled') throw new DragomanError('internal', 'a reservation was settled twice');
      const settlement = { ...held, charge, operation, reference, successful };
      const wasUnwritten = state === 'unwritten';
      state = 'settled';
      // The charge has waited for the store already.
      if (wasUnwritten && charge === 0) return debts.add(settlement);
      try {
        await calls.settle(settlement);
      } catch (error) {
        const isUnwritten = isAway(error) && !calls.isEnded;
        if (isUnwritten && charge === 0) return debts.add(settlement);
        state = isUnwritten ? 'unwritten' : 'open';
        throw error;
      }
    },
  };
}

/** Whether nothing of a call was done, because the place that it writes to is full or away: it may be asked again. */
function isAway(error: unknown): boolean {
  return error instanceof DragomanError && ['unwritable_output', 'store_unavailable'].includes(error.code);
}

/** How often debts are tried again. */
const DEBTS_MS = 1_000;

/**
 * Credits of requests that ended while the store could not be written. Nobody waits for them; without this they would be
 * reserved until the process ends.
 */
class Debts {
  readonly #calls: MeteringCalls;
  #owed: Settlement[] = [];
  #isPaying = false;

  constructor(calls: MeteringCalls) {
    this.#calls = calls;
  }

  add(settlement: Settlement): void {
    this.#owed.push(settlement);
    if (!this.#isPaying) void this.#pay();
  }

  async #pay(): Promise<void> {
    this.#isPaying = true;
    for (;;) {
      const owed = this.#owed;
      this.#owed = [];
      await Promise.all(owed.map((one) => this.#settle(one)));
      if (this.#owed.length === 0) break;
      await delay(DEBTS_MS, undefined, { ref: false });
    }
    this.#isPaying = false;
  }

  async #settle(settlement: Settlement): Promise<void> {
    try {
      await this.#calls.settle(settlement);
    } catch (error) {
      if (isAway(error) && !this.#calls.isEnded) this.#owed.push(settlement);
    }
  }
}

/** The error of a settlement whose credits were given back: it must not charge what others may have spent since. */
export function notHeld(): DragomanError {
  return new DragomanError('internal', 'credits were given back before their request was settled', {
    hint: 'Data directories belong on a disk of this machine, where locks of files hold.',
  });
}
