import type { Generated } from 'kysely';
import type { FormatId } from '../../formats/registry.ts';

/**
 * The tables. Times are milliseconds since the epoch. Migrations make them; what they mean stands here.
 */
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
 * `balance` is always the sum of the account's ledger; `reserved` is the part of it that work under way may cost.
 * What can be spent is `balance - reserved`, and is never negative.
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
  /** When a unit of one of its jobs was begun, given back or ended last: who waited longest is next. */
  served_at: Generated<number>;
  /** Standard Webhooks: `whsec_` and the base64 of the key. Has to be readable, because it signs. */
  webhook_secret: string;
  /** Jobs that it may have at once, the bytes of their files, and its requests in work; null for any number. */
  max_jobs: Generated<number | null>;
  max_job_bytes: Generated<number | null>;
  max_concurrency: Generated<number | null>;
  created_at: number;
}

export interface KeyTable {
  id: string;
  account_id: string;
  /** SHA-256 of the key, in hexadecimal. The key itself is nowhere. */
  hash: string;
  /** The first characters of the key, to distinguish keys in a listing. */
  prefix: string;
  created_at: number;
  /** When it was revoked or reset; null before. */
  revoked_at: number | null;
  /** From then on it is refused; null for a key that does not expire. */
  expires_at: number | null;
}

/** Append-only. A reservation is not in here: only what was granted and what was charged. */
export interface LedgerTable {
  id: Generated<number>;
  account_id: string;
  /** Positive for a grant, negative for a charge. */
  amount: number;
  /** `grant`, or the operation that was charged. */
  operation: string;
  /** The request or the job that was charged; null for a grant. */
  reference: string | null;
  created_at: number;
}

/** What requests under way have reserved, by process and account: released when the process is found dead. */
export interface HoldTable {
  instance_id: string;
  account_id: string;
  amount: number;
}

/** The window of a key begins with its first request and is counted from there. */
export interface RateWindowTable {
  key_id: string;
  started_at: number;
  requests: number;
}

/** Processes that work on this store. A process holds a lock for as long as it lives: see `instance.ts`. */
export interface InstanceTable {
  id: string;
  started_at: number;
}

export interface JobTable {
  /** Orders jobs by their creation. */
  seq: Generated<number>;
  id: string;
  account_id: string;
  status: 'pending' | 'processing' | 'completed' | 'partial' | 'failed';
  /** As the client named it, without directories. */
  filename: string;
  file_type: FormatId;
  source_language: string;
  /** A JSON array of codes, in the order of the request. */
  target_languages: string;
  /** Of the uploaded file. */
  source_bytes: Generated<number>;
  total_keys: number;
  translated_keys: number;
  failed_keys: number;
  error_message: string | null;
  webhook_url: string | null;
  /** Credits still held for units that are not done. Part of the account's `reserved`. */
  reserved: number;
  /** When one of its units was begun or given back last, at first its creation: what waited longest is next. */
  served_at: Generated<number>;
  created_at: number;
  updated_at: number;
  completed_at: number | null;
}

/** What an engine answered for a unit that has not ended: it is not asked, and not paid, again. */
export interface UnitAnswersTable {
  id: Generated<number>;
  job_id: string;
  language_code: string;
  /** As the jobs write them. */
  answers: string;
}

/** The translation of one file into one language: the unit of work. */
export interface JobUnitTable {
  job_id: string;
  language_code: string;
  /** Position in the job's target languages. */
  position: number;
  /** Of the job: here so that an index finds the next unit of each account. */
  account_id: string;
  job_seq: number;
  status: 'pending' | 'running' | 'done' | 'failed';
  /** The process that runs it; null otherwise. */
  instance_id: string | null;
  /** How often it was begun: a unit that kills its process every time is given up. */
  attempts: number;
  /** Keys translated so far, for the progress of a job that runs. */
  translated_keys: number;
  /** When it was begun last, and how many keys were translated then; null before. */
  started_at: Generated<number | null>;
  started_keys: Generated<number | null>;
  /** Base64 of a bit per key of the file, in its order, set where the key failed; null where none did. */
  failed_keys: string | null;
  error_message: string | null;
  /** The translated file's id and name in the job's directory; null without one. */
  file_id: string | null;
  file_size: number | null;
  file_created_at: number | null;
}

/**
 * A unit whose job was deleted while it was running. The process that runs it charges what was answered by then, or who
 * finds that process dead does.
 */
export interface DeletedUnitTable {
  job_id: string;
  language_code: string;
  account_id: string;
  /** The process that runs it. */
  instance_id: string;
  /** Credits still held. Part of the account's `reserved`. */
  reserved: number;
  /** Keys that are known to be translated: the least that is charged. */
  translated_keys: number;
}

/** Written in the transaction that ends a job. */
export interface WebhookDeliveryTable {
  /** Standard Webhooks `webhook-id`: the same for every try. */
  id: string;
  account_id: string;
  job_id: string;
  url: string;
  /** Scheme, host and port of `url`: who is fair between receivers groups by it. */
  origin: string;
  /** The exact body. Made and stored before the first try (URLs of files depend on who serves); the same ever after. */
  body: string | null;
  status: 'pending' | 'delivered' | 'failed';
  /** The process that is trying; null otherwise. */
  instance_id: string | null;
  attempts: number;
  next_attempt_at: number;
  last_error: string | null;
  created_at: number;
  delivered_at: number | null;
}

/** The glossary of an account, which goes with it. */
export interface AccountGlossaryTable {
  account_id: string;
  /** Another one whenever the content is. */
  id: string;
  /** As `writeGlossary` writes it. */
  content: string;
}

/** That an account keeps its translations. The row goes with the account, and the entries with the row. */
export interface AccountMemoryTable {
  account_id: string;
  /** Another one when it is begun anew. */
  id: string;
}

/** The translation of a text in the memory of an account. The text itself is nowhere, only its digest. */
export interface MemoryEntryTable {
  memory_id: string;
  source: string;
  target: string;
  digest: string;
  /** As those write it who store it. */
  content: string;
  stored_at: number;
}
