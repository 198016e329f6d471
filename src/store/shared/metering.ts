import { DragomanError } from '../../base/errors.ts';
import type { Caller, Metering, RateDecision, RateWindowOptions, Reservation, Shortage } from '../store.ts';
import { hashOf } from './accounts.ts';
import { requireAmount } from './credits.ts';

/** A key that was sent, as the store has it. */
export interface Admission {
  readonly keyId: string;
  readonly accountId: string;
  readonly isRevoked: boolean;
  readonly maxConcurrency: number | undefined;
  /** With this request; absent where nothing is counted. */
  readonly window?: { readonly startedAt: number; readonly requests: number } | undefined;
}

export interface HeldCredits {
  readonly accountId: string;
  readonly amount: number;
}

/** A reservation at its end: `amount` was held, `charge` of it is spent. */
export interface Settlement extends HeldCredits {
  readonly charge: number;
  readonly operation: string;
  readonly reference: string;
  readonly successful: boolean;
}

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
  count(request: CountedRequest): Promise<void>;
}

/** The limit where there is none: a number, so that a client that reads it never waits. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

const UNKNOWN: Caller = { state: 'unknown' };
const REVOKED: Caller = { state: 'revoked' };

export function meteringOf(calls: MeteringCalls, rates: RateWindowOptions | undefined): Metering {
  return {
    async admit(key) {
      const found = await calls.admit(hashOf(key));
      if (!found) return UNKNOWN;
      const { isRevoked, window, ...known } = found;
      return isRevoked ? REVOKED : { state: 'active', ...known, rate: decide(window, rates) };
    },

    async reserve(accountId, amount) {
      requireAmount(amount);
      return (await calls.reserve({ accountId, amount })) ?? reservation(calls, { accountId, amount });
    },

    countRequest: (accountId, successful) => calls.count({ accountId, successful }),
  };
}

function decide(window: Admission['window'], rates: RateWindowOptions | undefined): RateDecision {
  const { limit = 0, windowMs = 0, now = Date.now } = rates ?? {};
  if (!window) {
    const resetAt = now() + windowMs;
    return { allowed: true, made: 0, limit: UNLIMITED, remaining: UNLIMITED, resetAt };
  }
  const { requests: made, startedAt } = window;
  const remaining = Math.max(0, limit - made);
  return { allowed: made <= limit, made, limit, remaining, resetAt: startedAt + windowMs };
}

function reservation(calls: MeteringCalls, held: HeldCredits): Reservation {
  let settled = false;
  return {
    amount: held.amount,
    settle: async (charge, { operation, reference, successful }) => {
      requireAmount(charge, held.amount);
      if (settled) throw new DragomanError('internal', 'a reservation was settled twice');
      settled = true;
      try {
        await calls.settle({ ...held, charge, operation, reference, successful });
      } catch (error) {
        settled = false;
        throw error;
      }
    },
  };
}

/** The error of a settlement whose credits were given back: it must not charge what others may have spent since. */
export function notHeld(): DragomanError {
  return new DragomanError('internal', 'credits were given back before their request was settled', {
    hint: 'Data directories belong on a disk of this machine, where locks of files hold.',
  });
}
