import type { PlainError } from '../../workers/protocol.ts';
import type { Admission, Charge, CountedRequest, HeldCredits, Settlement } from '../shared/metering.ts';
import type { Shortage } from '../store.ts';

/** The messages of the metering thread: calls that arrived while it was busy, executed in one transaction. */
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
  /** Length of the window in which a key's requests are counted, in milliseconds; undefined to count none. */
  readonly windowMs: number | undefined;
}

export interface MeteringBatch {
  /** Time of the charges, in milliseconds since the epoch. */
  readonly now: number;
  /** The clock of the windows. */
  readonly windowNow: number;
  /** Hashes of keys. */
  readonly admits: readonly string[];
  readonly reserves: readonly HeldCredits[];
  readonly settles: readonly Settlement[];
  readonly charges: readonly Charge[];
  readonly counts: readonly CountedRequest[];
  /** Whether to test that the disk is writable. */
  readonly probe: boolean;
}

/** A failed call had no effect. */
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
