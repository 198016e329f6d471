import type { PlainError } from '../../workers/protocol.ts';
import type { Charge, CountedRequest, HeldCredits, Settlement } from '../shared/metering.ts';

/**
 * The messages of the metering thread: the calls collected while it was busy, executed in one transaction. Threads
 * exchange texts fastest, so messages are JSON.
 */
export interface MeteringProtocol {
  readonly settings: MeteringSettings;
  /** A {@link MeteringBatch}. */
  readonly request: string;
  /** A {@link CallOutcome} for each call, in their order. */
  readonly result: string;
  readonly note: never;
  readonly question: never;
  readonly answer: never;
}

export interface MeteringSettings {
  /** The path of the database. */
  readonly file: string;
  readonly busyMs: number | undefined;
  readonly instanceId: string;
  /** Length of the window in which a key's requests are counted, in milliseconds; undefined disables counting. */
  readonly windowMs: number | undefined;
}

/** A method of the metering, with its argument. A probe tests that the disk is writable. */
export type MeteringCall =
  | readonly [kind: 'admit', hash: string]
  | readonly [kind: 'reserve', wanted: HeldCredits]
  | readonly [kind: 'settle', settlement: Settlement]
  | readonly [kind: 'charge', charge: Charge]
  | readonly [kind: 'count', request: CountedRequest]
  | readonly [kind: 'probe'];

export interface MeteringBatch {
  /** Time of the charges, in milliseconds since the epoch. */
  readonly now: number;
  /** The clock of the windows. */
  readonly windowNow: number;
  readonly calls: readonly MeteringCall[];
}

/** A failed call had no effect. A call without an answer has `null`. */
export type CallOutcome = { readonly value: unknown } | { readonly error: PlainError };
