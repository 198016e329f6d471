import type { PlainError } from '../../workers/protocol.ts';
import type { Admission, Charge, CountedRequest, HeldCredits, Settlement } from '../shared/metering.ts';
import type { Shortage } from '../store.ts';

/** What the thread of the metering gets and gives: what arrived while it was at work, done in one transaction. */
export interface MeteringProtocol {
  readonly settings: MeteringSettings;
  readonly request: MeteringBatch;
  readonly result: MeteringAnswers;
  readonly note: never;
  readonly question: never;
  readonly answer: never;
}

export interface MeteringSettings {
  /** The database's file. */
  readonly file: string;
  readonly busyMs: number | undefined;
  readonly instanceId: string;
  /** Requests of a key in a window of so many milliseconds are counted; undefined where they are not. */
  readonly windowMs: number | undefined;
}

export interface MeteringBatch {
  /** Milliseconds since the epoch, of charges. */
  readonly now: number;
  /** The clock of the windows. */
  readonly windowNow: number;
  /** Hashes of keys. */
  readonly admits: readonly string[];
  readonly reserves: readonly HeldCredits[];
  readonly settles: readonly Settlement[];
  readonly charges: readonly Charge[];
  readonly counts: readonly CountedRequest[];
  /** Whether to prove that the disk can be written. */
  readonly probe: boolean;
}

/** Nothing was done of a call that failed. */
export type CallOutcome<T> = { readonly value: T } | { readonly error: PlainError };

/** One for each call, in their order. */
export interface MeteringAnswers {
  readonly admits: readonly CallOutcome<Admission | undefined>[];
  readonly reserves: readonly CallOutcome<Shortage | undefined>[];
  readonly settles: readonly CallOutcome<undefined>[];
  readonly charges: readonly CallOutcome<boolean>[];
  readonly counts: readonly CallOutcome<undefined>[];
  readonly probe: CallOutcome<undefined>;
}
