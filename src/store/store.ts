import type { Selectable } from 'kysely';
import type { AccountStore } from './account-store.ts';
import type { DeliveryState, DeliveryStore } from './delivery-store.ts';
import type { ResourceStore } from './resource-store.ts';
import type { JobTable, JobUnitTable } from './shared/schema.ts';

/**
 * Where a server keeps accounts, jobs and deliveries. The opener closes it, after the instances it registered. All
 * operations resolve when they are committed; times are milliseconds since the epoch, amounts are credits.
 *
 * Every operation throws DragomanError `unwritable_output` when the store's place cannot be used, and
 * `store_unavailable` when its database does not answer: nothing was done then.
 */
export interface Store {
  readonly accounts: AccountStore;
  readonly resources: ResourceStore;
  /**
   * Has the webhook of a job called again, with the same id and body and all its tries. False when the job has none, or
   * has not ended.
   */
  redeliver(jobId: string, now: number): Promise<boolean>;
  /** What the database's settings do not promise, as sentences for its operator. */
  warnings(): Promise<readonly string[]>;
  /** Whether {@link redeliver} would find something to call. */
  hasDelivery(jobId: string): Promise<boolean>;
  /** Registers this process as one that works on the store, and gives back what dead ones had. */
  register(options?: InstanceOptions): Promise<Instance>;
  close(): Promise<void>;
}

export interface InstanceOptions {
  /** Without it, requests are neither counted nor limited. */
  readonly rates?: RateWindowOptions | undefined;
}

/** What others are to know at once: what there is to do, or which job was deleted. It may be lost: they look as well. */
export type StoreNews = 'units' | 'deliveries' | `deleted ${string}`;

/** This process, as one of those that work on a store. The caller closes it, before the store. */
export interface Instance {
  /** Changes if other processes take this one for dead and release its reservations. */
  readonly id: string;
  /** Milliseconds since the epoch, by the clock that all processes on the store go by. */
  readonly now: () => number;
  /** Calls `listener` with what other processes, and this one, announce, until the instance is closed. */
  onNews(listener: (news: StoreNews) => void): void;
  readonly metering: Metering;
  readonly jobs: JobStore;
  readonly deliveries: DeliveryStore;
  /** Where the store keeps the files of jobs as well; absent where they are in a directory beside it. */
  readonly files?: StoredFiles;
  /** The processes that are registered, dead or alive. */
  registered(): Promise<ReadonlySet<string>>;
  /** Releases the credits, units and deliveries of processes that died; returns the ids of those processes. */
  reap(): Promise<readonly string[]>;
  /** Resolves when the store has answered, with a write that is on its disk. */
  ready(): Promise<void>;
  /** Releases the remaining reservations and the registration. */
  close(): Promise<void>;
}

export interface RateWindowOptions {
  /** Requests that a key may make in a window; 0 for any number. */
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds since the epoch; default: {@link Instance.now}. */
  readonly now?: (() => number) | undefined;
}

/** Where a key stands after a request. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Requests of this window with this one; refused ones count. 0 where nothing is counted. */
  readonly made: number;
  /** The largest 32-bit number if unlimited: a client that reads it never waits. */
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** Who sent a key. Specification, Authentication 7 and 8: an unknown key and a revoked one get different answers. */
export type Caller =
  | {
      readonly state: 'active';
      readonly keyId: string;
      readonly accountId: string;
      readonly rate: RateDecision;
      /** Credits that could be spent at this moment. */
      readonly spendable: number;
      /** Of the account: see {@link AccountLimits}. */
      readonly maxConcurrency: number | undefined;
    }
  | { readonly state: 'revoked' }
  | { readonly state: 'unknown' };

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
   * Charges `charge`, at most the amount, gives back the rest and counts the request. On the disk when it resolves. Once;
   * where it fails nothing was charged, and it may be tried again. A charge of nothing does not fail because the store
   * cannot be written at the moment: it is done when it can.
   */
  settle(charge: number, entry: ChargeEntry): Promise<void>;
}

/** Narrows the answer of {@link Metering.reserve}. */
export function isShortage(answer: Reservation | Shortage): answer is Shortage {
  return 'remaining' in answer;
}

/**
 * The metering of requests that are answered at once. Credits are reserved before the work and settled after it, or
 * charged after it where plenty are left, so that no account ever spends more than it has, under any concurrency of
 * requests, processes and jobs.
 */
export interface Metering {
  /**
   * Finds out whose key it is, as the store is at this moment, and counts the request in the key's window: all processes
   * count together, and a restart is no way round the limit. A power cut may be. The key is taken as it is; one with
   * spaces around it is another key, and unknown.
   */
  admit(key: string): Promise<Caller>;
  /** Reserves `amount`, or nothing where less than that is left. */
  reserve(accountId: string, amount: number): Promise<Reservation | Shortage>;
  /**
   * Charges `amount` for a request that reserved nothing, and counts it. On the disk when it resolves; where it fails
   * nothing was charged.
   *
   * @returns false when nothing was done, because less can be spent than this and others at the same moment would take:
   *   what can be had alone can still be reserved
   */
  charge(accountId: string, amount: number, entry: ChargeEntry): Promise<boolean>;
  /** Counts a request that reserved nothing. A power cut may lose it. */
  countRequest(accountId: string, successful: boolean): Promise<void>;
}

export type JobRow = Selectable<JobTable>;
export type UnitRow = Selectable<JobUnitTable>;

export interface NewJob {
  readonly id: string;
  readonly accountId: string;
  readonly filename: string;
  readonly fileType: JobTable['file_type'];
  /** Canonical codes, each once. */
  readonly sourceLanguage: string;
  readonly targetLanguages: readonly string[];
  readonly totalKeys: number;
  /** Of the uploaded file. */
  readonly bytes: number;
  readonly webhookUrl: string | undefined;
  readonly now: number;
}

/** What a translation into every language costs: 1 credit per key and language. */
export function creditsOfJob({ totalKeys, targetLanguages }: NewJob): number {
  return totalKeys * targetLanguages.length;
}

/** So many bytes of a file are work like that for one of its keys, also where they are few keys. */
export const BYTES_PER_KEY = 100;

/** Who has taken on which unit. What is said of a unit that is not held so any more changes nothing. */
export interface UnitClaim {
  readonly jobId: string;
  readonly language: string;
  readonly instanceId: string;
}

export interface ClaimedUnit extends UnitClaim {
  readonly accountId: string;
  readonly filename: string;
  readonly fileType: JobTable['file_type'];
  readonly sourceLanguage: string;
  readonly totalKeys: number;
  /** How much work the job is in each language: its keys or, where that is more, its bytes by {@link BYTES_PER_KEY}. */
  readonly size: number;
  /** How often it was begun, with this time. */
  readonly attempts: number;
}

/** How large the job of a unit may be, and whose. */
export interface UnitBounds {
  /** As that of {@link ClaimedUnit}. */
  readonly size: number;
  /** Of the uploaded file. Default: any number. */
  readonly bytes?: number | undefined;
  /** Whose it may not be. */
  readonly notOf?: string | undefined;
}

/** What became of a unit. */
export interface UnitEnd {
  /** Keys that have a translation; 0 without a file. */
  readonly translatedKeys: number;
  readonly failedKeys: string | null;
  readonly errorMessage: string | null;
  readonly file: { readonly id: string; readonly size: number } | undefined;
}

/** What becomes of a job when its last unit has ended. */
export type JobEnd = Pick<JobTable, 'translated_keys' | 'failed_keys' | 'error_message'> & {
  readonly status: 'completed' | 'partial' | 'failed';
};

export interface Ending {
  readonly claim: UnitClaim;
  readonly end: UnitEnd;
  /** Judges a job by its units, in the order of its languages, when all have ended. May be asked more than once. */
  readonly judge: (job: JobRow, units: readonly UnitRow[]) => JobEnd;
  readonly now: number;
}

export interface JobPage {
  readonly jobs: readonly JobRow[];
  /** Where there are older ones. Says nothing of other accounts, and is worth nothing to them. */
  readonly next: string | undefined;
}

export interface JobStore {
  /**
   * Writes down a job with a unit of work per language and reserves what it can cost.
   *
   * @returns what is left, when that is too little: nothing was written then
   * @throws DragomanError `limit_exceeded` when the account may not have as many jobs or bytes
   */
  insert(job: NewJob): Promise<Shortage | undefined>;
  /**
   * So many jobs of an account, newest first; with `cursor`, those that follow an earlier page.
   *
   * @throws DragomanError `invalid_request` unless it is a cursor of this account.
   */
  list(
    accountId: string,
    page: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<JobPage>;
  find(id: string): Promise<JobRow | undefined>;
  findOf(accountId: string, id: string): Promise<JobRow | undefined>;
  /** The id of the job that was written down last, of any account. */
  newest(): Promise<string | undefined>;
  /** What became of the call of its webhook; undefined for a job without one, or that has not ended. */
  delivery(jobId: string): Promise<DeliveryState | undefined>;
  /** The units of a job, in the order of its languages. */
  units(jobId: string): Promise<readonly UnitRow[]>;
  /** Of these jobs, those that there are, with the ids of their translated files. */
  filesOf(ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /**
   * Removes a job with its units and the calls of its webhook. Charges the keys that are known to be translated of units
   * that have not ended, and gives back what else is reserved; of a unit that is running, its process does so when it ends.
   *
   * @returns whether it was there
   */
  delete(accountId: string, id: string, now: number): Promise<boolean>;
  /**
   * Removes some jobs that ended before a time, and whose webhooks have been called or given up.
   *
   * @returns their ids; none when no such jobs are left
   */
  expire(endedBefore: number): Promise<readonly string[]>;
  /**
   * Takes on the next unit: of the account that has the fewest running anywhere, then of the account and the job that
   * have waited longest, since they were served last, in proportion to the size of the job. A small job so passes a large
   * one, and a large one is not passed for ever. Units that were begun before come after the others of their account: one
   * that kills its process does not keep the rest from being done.
   *
   * @param bounds only a unit of such a job
   */
  claimUnit(now: number, bounds?: UnitBounds): Promise<ClaimedUnit | undefined>;
  /**
   * Shows how many keys of a running unit are done; fewer than are shown already change nothing. False when
   * the unit is not this process's any more.
   */
  recordProgress(claim: UnitClaim, translatedKeys: number, now: number): Promise<boolean>;
  /**
   * Ends a unit: charges the keys that it translated, gives back what was reserved for the others, and ends the job, with
   * the call of its webhook, when it was the last. All of it or nothing.
   *
   * @returns `deleted` when its job was: it is charged all the same; `lost` when others took this process for dead
   */
  endUnit(ending: Ending): Promise<'lost' | 'deleted' | 'ended' | 'job ended'>;
  /**
   * Gives a unit back that this process has not ended: it is as if it had not been begun, but for what was answered. False
   * when the unit is not this process's any more; where its job was deleted, the keys known to be translated are charged.
   */
  giveBackUnit(claim: UnitClaim, now: number, translatedKeys?: number): Promise<boolean>;
  /** Whether a unit waits of such a job, of which none was taken on since a time. */
  hasWaitingUnit(bounds: UnitBounds, since: number): Promise<boolean>;
  /**
   * Keeps what an engine answered for a running unit until it ends, on the disk: whoever takes the unit on next goes on
   * from there. Nothing where the unit is not this process's any more.
   */
  keepAnswers(claim: UnitClaim, answers: string): Promise<void>;
  /** The kept answers of a unit, in that order. They may be 100 MB: they are read a few rows at a time. */
  keptAnswers(claim: UnitClaim): AsyncIterable<string>;
  countWaiting(): Promise<number>;
}

/** The id of the file that a job was created with. */
export const SOURCE_FILE = 'source';

/** The files of jobs, in the store. A file is there as a whole or not at all, and never changes. */
export interface StoredFiles {
  /** Copies a file of this machine: it is on the disk of the store when it resolves. */
  write(jobId: string, fileId: string, path: string): Promise<void>;
  /** In pieces. @throws DragomanError `not_found` */
  read(jobId: string, fileId: string): Promise<AsyncIterable<Uint8Array>>;
  /** Removes the files of a job that is not there, or not any more. */
  remove(jobId: string): Promise<void>;
  /** Removes a translation that no unit of the job names. */
  removeFile(jobId: string, fileId: string): Promise<void>;
  /** Removes what processes left that died before they wrote down whose it is. */
  sweep(olderThanMs: number): Promise<void>;
}
