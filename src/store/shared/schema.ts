import type { Generated } from 'kysely';
import type { BuiltInFormatId } from '../../formats/registry.ts';

/** The tables. Times are milliseconds since the epoch. Migrations create them; their meaning is documented here. */
export interface Schema {
  accounts: AccountTable;
  keys: KeyTable;
  ledger: LedgerTable;
  holds: HoldTable;
  rate_windows: RateWindowTable;
  instances: InstanceTable;
  jobs: JobTable;
  job_units: JobUnitTable;
  unit_answers: UnitAnswersTable;
  deleted_units: DeletedUnitTable;
  webhook_deliveries: WebhookDeliveryTable;
  account_glossaries: AccountGlossaryTable;
  account_memories: AccountMemoryTable;
  memory_entries: MemoryEntryTable;
}

/**
 * `balance` is always the sum of the account's ledger; `reserved` is the part held for pending work. `balance
 * - reserved` can be spent, and is never negative.
 */
export interface AccountTable {
  id: string;
  email: string;
  full_name: string;
  /** The sum of all grants. */
  granted: number;
  balance: number;
  reserved: number;
  requests_successful: number;
  requests_failed: number;
  /**
   * When a unit of the account's jobs was last started, released or ended. The longest waiting account is served next.
   */
  served_at: Generated<number>;
  /** The signing secret (Standard Webhooks): `whsec_` and the base64 of the key. Readable, because signing needs it. */
  webhook_secret: string;
  /** The account's limits: jobs, bytes of their files, and concurrent requests; null for none. */
  max_jobs: Generated<number | null>;
  max_job_bytes: Generated<number | null>;
  max_concurrency: Generated<number | null>;
  created_at: number;
}

export interface KeyTable {
  id: string;
  account_id: string;
  /** SHA-256 of the key, in hexadecimal. The key itself is not stored. */
  hash: string;
  /** The first characters of the key, to distinguish keys in a listing. */
  prefix: string;
  created_at: number;
  /** When the key was revoked or reset; null until then. */
  revoked_at: number | null;
  /** When the key expires; null if it does not. */
  expires_at: number | null;
}

/** Append-only. Contains grants and charges, not reservations. */
export interface LedgerTable {
  id: Generated<number>;
  account_id: string;
  /** Positive for a grant, negative for a charge. */
  amount: number;
  /** `grant`, or the charged operation. */
  operation: string;
  /** The charged request or job; null for a grant. */
  reference: string | null;
  created_at: number;
}

/** Reservations of pending requests, by process and account. Released when the process is dead. */
export interface HoldTable {
  instance_id: string;
  account_id: string;
  amount: number;
}

/** The request windows of keys. A window begins with the key's first request. */
export interface RateWindowTable {
  key_id: string;
  started_at: number;
  requests: number;
}

/** Registered processes. A process holds a lock as long as it lives: see `instance.ts` and `sqlite-store.ts`. */
export interface InstanceTable {
  id: string;
  started_at: number;
}

export interface JobTable {
  /** The order in which jobs were created. */
  seq: Generated<number>;
  id: string;
  account_id: string;
  status: 'pending' | 'processing' | 'completed' | 'partial' | 'failed';
  /** The client's name for the file, without directories. */
  filename: string;
  file_type: BuiltInFormatId;
  source_language: string;
  /** A JSON array of codes, in the order of the request. */
  target_languages: string;
  /** The size of the uploaded file. */
  source_bytes: Generated<number>;
  total_keys: number;
  translated_keys: number;
  failed_keys: number;
  error_message: string | null;
  webhook_url: string | null;
  /** Credits still held for unfinished units, as part of the account's `reserved`. */
  reserved: number;
  /**
   * When one of its units was last started or released, initially its creation time. The longest waiting job is
   * served next.
   */
  served_at: Generated<number>;
  created_at: number;
  updated_at: number;
  completed_at: number | null;
}

/** An engine's answers for an unfinished unit, so that they are not requested and paid for again. */
export interface UnitAnswersTable {
  id: Generated<number>;
  job_id: string;
  language_code: string;
  /** In the format of the job runner. */
  answers: string;
}

/** The translation of one file into one language: the unit of work. */
export interface JobUnitTable {
  job_id: string;
  language_code: string;
  /** Position among the job's target languages. */
  position: number;
  /** The job's account, duplicated so that an index finds the next unit of each account. */
  account_id: string;
  job_seq: number;
  status: 'pending' | 'running' | 'done' | 'failed';
  /** The process that runs the unit; null otherwise. */
  instance_id: string | null;
  /** Number of starts, because a unit that crashes its process every time is abandoned. */
  attempts: number;
  /** Keys translated so far, for the job's progress. */
  translated_keys: number;
  /** When it was last started, and how many keys were translated then; null until the first start. */
  started_at: Generated<number | null>;
  started_keys: Generated<number | null>;
  /** In base64: one bit per key of the file, in order, set if the key failed. Null if none did. */
  failed_keys: string | null;
  error_message: string | null;
  /** The id and name of the translated file in the job's directory; null without a file. */
  file_id: string | null;
  file_size: number | null;
  file_created_at: number | null;
}

/**
 * A running unit whose job was deleted. The process that runs the unit charges the answers so far; if it dies,
 * the process that detects its death charges them.
 */
export interface DeletedUnitTable {
  job_id: string;
  language_code: string;
  account_id: string;
  /** The process that runs the unit. */
  instance_id: string;
  /** Credits still held, as part of the account's `reserved`. */
  reserved: number;
  /** Keys known to be translated: the minimum charge. */
  translated_keys: number;
}

/** Written in the transaction that ends a job. */
export interface WebhookDeliveryTable {
  /** Standard Webhooks `webhook-id`: the same for every attempt. */
  id: string;
  account_id: string;
  job_id: string;
  url: string;
  /** Scheme, host and port of `url`. Receivers are treated fairly by origin. */
  origin: string;
  /**
   * The exact body. Stored before the first attempt, because the files' URLs depend on the server, and unchanged after
   * that.
   */
  body: string | null;
  status: 'pending' | 'delivered' | 'failed';
  /** The process that currently makes an attempt; null otherwise. */
  instance_id: string | null;
  attempts: number;
  next_attempt_at: number;
  last_error: string | null;
  created_at: number;
  delivered_at: number | null;
}

/** The glossary of an account, deleted with it. */
export interface AccountGlossaryTable {
  account_id: string;
  /** A new id whenever the content changes. */
  id: string;
  /** In the format of `writeGlossary`. */
  content: string;
}

/** A row exists if an account keeps its translations. It is deleted with the account, and the entries with it. */
export interface AccountMemoryTable {
  account_id: string;
  /** A new id whenever the memory is cleared. */
  id: string;
}

/** The translation of a text in an account's memory. Only the text's digest is stored. */
export interface MemoryEntryTable {
  memory_id: string;
  source: string;
  target: string;
  digest: string;
  /** In the format of the process that wrote it. */
  content: string;
  stored_at: number;
}
