import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '../../base/errors.ts';
import { within } from '../../base/within.ts';
import type {
  Caller,
  ChargeEntry,
  Metering,
  RateDecision,
  RateWindowOptions,
  Reservation,
  Shortage,
} from '../store.ts';
import { hashKey } from './accounts.ts';
import { requireAmount } from './credits.ts';

/** The store's data for a key, and its window including this request; without a window, nothing is counted. */
export interface Admission {
  readonly keyId: string;
  readonly accountId: string;
  readonly isRevoked: boolean;
  readonly maxConcurrency: number | null;
  readonly spendable: number;
  readonly window: { readonly startedAt: number; readonly requests: number } | undefined;
}

/** A key of a batch, as databases write it in JSON. `requests` are those in its window before the batch. */
export type FoundKey = readonly [
  hash: string,
  keyId: string,
  accountId: string,
  isRevoked: boolean | 0 | 1,
  maxConcurrency: number | null,
  spendable: number,
  startedAt: number | null,
  requests: number | null,
];

/** The admission of each key of a batch, in order. */
export function admissionsOf(
  hashes: readonly string[],
  found: readonly FoundKey[],
): readonly (Admission | undefined)[] {
  const rows = new Map(found.map((row) => [row[0], { row, made: row[7] ?? 0 }]));
  return hashes.map((hash) => {
    const known = rows.get(hash);
    if (!known) return undefined;
    const [, keyId, accountId, isRevoked, maxConcurrency, spendable, startedAt] = known.row;
    const window = startedAt === null ? undefined : { startedAt, requests: ++known.made };
    return { keyId, accountId, isRevoked: Boolean(isRevoked), maxConcurrency, spendable, window };
  });
}

export interface HeldCredits {
  readonly accountId: string;
  readonly amount: number;
}

/** The end of a reservation: `charge` of the held `amount` is spent. */
export interface Settlement extends HeldCredits, ChargeEntry {
  readonly charge: number;
}

/** `successful`: how the call counted its request, or undefined if it did not. */
interface UndoneCall extends Omit<Settlement, 'successful'> {
  readonly successful: boolean | undefined;
}

/** Credits spent without a reservation, as databases read it in JSON. */
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

/** The calls of a metering implementation, which may execute concurrent calls together. */
export interface MeteringCalls {
  admit(hash: string): Promise<Admission | undefined>;
  /** @returns undefined if the amount is reserved */
  reserve(wanted: HeldCredits): Promise<Shortage | undefined>;
  /** @throws DragomanError `internal` if the process holds less than `amount`, because others declared it dead */
  settle(settlement: Settlement): Promise<void>;
  /** @returns whether the amount was charged */
  charge(charge: Charge): Promise<boolean>;
  count(request: CountedRequest): Promise<void>;
  /** Whether the process's registration has ended, which releases its reservations. */
  readonly isEnded: boolean;
  /** For a store over a network; undefined if calls are answered immediately. */
  readonly lateness?: Lateness;
}

/**
 * Handles calls whose outcome is unknown after a connection loss. Their requests are refused when the time is up; the
 * calls continue, and their effects are undone.
 */
export interface Lateness {
  /** How long a request waits for one call, in milliseconds. */
  readonly patienceMs: number;
  readonly refuse: () => DragomanError;
  /** Refunds `charge`, releases `amount`, and removes the request from the count. */
  readonly undo: (done: UndoneCall) => Promise<unknown>;
}

/**
 * The limit shown for an account without one: a number, so that clients never wait, and within 32 bits, because some
 * clients require that.
 */
export const UNLIMITED = 2 ** 31 - 1;

const UNKNOWN: Caller = { state: 'unknown' };
const REVOKED: Caller = { state: 'revoked' };

export function meteringOf(calls: MeteringCalls, rates: RateWindowOptions | undefined): Metering {
  const debts = new Debts(calls);
  const { lateness } = calls;
  const undo = (done: UndoneCall): void => void lateness?.undo(done).catch(() => undefined);
  return {
    async admit(key) {
      const found = await inTime(calls.admit(hashKey(key)), lateness);
      if (!found) return UNKNOWN;
      const { keyId, accountId, isRevoked, maxConcurrency, spendable, window } = found;
      if (isRevoked) return REVOKED;
      const rate = decide(rates, window);
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
      const shortage = await inTime(calls.reserve({ accountId, amount }), lateness, (late) => {
        const held = { accountId, amount, charge: 0, operation: '', reference: '', successful: undefined };
        late.then(
          (answer) => answer ?? undo(held),
          () => undefined,
        );
      });
      return shortage ?? reservation({ accountId, amount }, calls, debts);
    },

    async charge(accountId, amount, { operation, reference, successful }) {
      requireAmount(amount);
      const charge = calls.charge([accountId, amount, operation, reference, successful]);
      return inTime(charge, lateness, (late) => {
        const charged = { accountId, amount: 0, charge: amount, operation, reference, successful };
        late.then(
          (isCharged) => isCharged && undo(charged),
          () => undefined,
        );
      });
    },

    countRequest: (accountId, successful) => inTime(calls.count({ accountId, successful }), lateness),
  };
}

/** @param onLate receives a call that finishes after its request stopped waiting @throws the error of `refuse` */
function inTime<T>(
  call: Promise<T>,
  lateness: Lateness | undefined,
  onLate?: (call: Promise<T>) => void,
): Promise<T> {
  if (!lateness) return call;
  return within(call, lateness.patienceMs, () => {
    onLate?.(call);
    throw lateness.refuse();
  });
}

function decide(rates: RateWindowOptions | undefined, window: Admission['window']): RateDecision {
  const { limit = 0, windowMs = 0, now = Date.now } = rates ?? {};
  if (!window) {
    const resetAt = now() + windowMs;
    return { allowed: true, made: 0, limit: UNLIMITED, remaining: UNLIMITED, resetAt };
  }
  const { startedAt, requests: made } = window;
  const remaining = Math.max(0, limit - made);
  return { allowed: made <= limit, made, limit, remaining, resetAt: startedAt + windowMs };
}

function reservation(held: HeldCredits, calls: MeteringCalls, debts: Debts): Reservation {
  let state: 'open' | 'unwritten' | 'late' | 'settled' = 'open';
  const isUnwritten = (error: unknown): boolean => isAway(error) && !calls.isEnded;
  const settleLater = (settlement: Settlement) => (call: Promise<void>) => {
    state = 'late';
    call.then(
      () => (settlement.charge > 0 ? refundLate(settlement, calls) : undefined),
      (error: unknown) => {
        if (isUnwritten(error)) debts.add({ ...settlement, charge: 0, successful: false });
      },
    );
  };
  const isLate = (): boolean => state === 'late';
  return {
    amount: held.amount,
    settle: async (charge, { operation, reference, successful }) => {
      requireAmount(charge, held.amount);
      // A late call releases the whole amount.
      if (isLate() && charge === 0) return;
      if (state === 'settled' || isLate())
        throw new DragomanError('internal', 'a reservation was settled twice');
      const settlement = { ...held, charge, operation, reference, successful };
      const wasUnwritten = state === 'unwritten';
      state = 'settled';
      // The charge has already waited for the store.
      if (wasUnwritten && charge === 0) return debts.add(settlement);
      try {
        await inTime(calls.settle(settlement), calls.lateness, settleLater(settlement));
      } catch (error) {
        if (charge === 0 && isLate()) return;
        if (charge === 0 && isUnwritten(error)) return debts.add(settlement);
        if (!isLate()) state = isUnwritten(error) ? 'unwritten' : 'open';
        throw error;
      }
    },
  };
}

/** Refunds a charge whose request was refused meanwhile, and counts the request as failed instead. */
async function refundLate(settlement: Settlement, calls: MeteringCalls): Promise<void> {
  try {
    await calls.lateness?.undo({ ...settlement, amount: 0 });
    await calls.count({ accountId: settlement.accountId, successful: false });
  } catch {
    // The database lost the charge too, or this process has ended.
  }
}

/** Whether a call certainly had no effect, because its store is full or unreachable, so that it may be repeated. */
function isAway(error: unknown): boolean {
  return error instanceof DragomanError && ['unwritable_output', 'store_unavailable'].includes(error.code);
}

/** How often to retry debts. */
const DEBTS_MS = 1_000;

/**
 * Settlements of requests that ended while the store was not writable. Without this list, their credits would stay
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

/** The error for a settlement whose hold was released: charging could exceed the balance. */
export function releasedHoldError(): DragomanError {
  return new DragomanError('internal', 'credits were given back before their request was settled', {
    hint: 'Keep data directories on a local disk, where file locks work.',
  });
}
