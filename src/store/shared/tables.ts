import { sql, type Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * The first migration, which creates the tables of the first release. It never changes.
 *
 * @param number the database's SQL for a primary key that numbers the rows
 */
export async function createTables(kysely: Kysely<Schema>, number: string): Promise<void> {
  for (const statement of TABLES.replaceAll('NUMBER', number).split(/;\s*/))
    if (statement !== '') await sql.raw(statement.trim()).execute(kysely);
}

/** `deleted_units` are pending charges of deleted jobs. */
const TABLES = `
  create table accounts (
    id text primary key,
    email text not null unique,
    full_name text not null,
    granted bigint default 0 not null,
    balance bigint default 0 not null,
    reserved bigint default 0 not null,
    requests_successful bigint default 0 not null,
    requests_failed bigint default 0 not null,
    served_at bigint default 0 not null,
    webhook_secret text not null,
    created_at bigint not null,
    max_jobs bigint,
    max_job_bytes bigint,
    max_concurrency bigint,
    constraint spendable check (reserved >= 0 and balance >= reserved)
  );
  create table keys (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    hash text not null unique,
    prefix text not null,
    created_at bigint not null,
    revoked_at bigint,
    expires_at bigint
  );
  create index keys_of_account on keys (account_id);
  create table ledger (
    id integer NUMBER,
    account_id text not null references accounts (id) on delete cascade,
    amount bigint not null,
    operation text not null,
    reference text,
    created_at bigint not null
  );
  create table instances (
    id text primary key,
    started_at bigint not null
  );
  create table holds (
    instance_id text not null references instances (id),
    account_id text not null references accounts (id) on delete cascade,
    amount bigint not null,
    constraint one_hold primary key (instance_id, account_id)
  );
  create table rate_windows (
    key_id text primary key references keys (id) on delete cascade,
    started_at bigint not null,
    requests integer not null
  );
  create table jobs (
    seq integer NUMBER,
    id text not null unique,
    account_id text not null references accounts (id) on delete cascade,
    status text not null,
    filename text not null,
    file_type text not null,
    source_language text not null,
    target_languages text not null,
    total_keys integer not null,
    translated_keys integer default 0 not null,
    failed_keys integer default 0 not null,
    error_message text,
    webhook_url text,
    reserved bigint default 0 not null,
    created_at bigint not null,
    updated_at bigint not null,
    completed_at bigint,
    source_bytes bigint default 0 not null,
    served_at bigint default 0 not null
  );
  create index jobs_of_account on jobs (account_id, seq);
  create index jobs_by_end on jobs (completed_at);
  create table webhook_deliveries (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    job_id text not null references jobs (id) on delete cascade,
    url text not null,
    origin text not null,
    body text,
    status text not null,
    instance_id text,
    attempts integer default 0 not null,
    next_attempt_at bigint not null,
    last_error text,
    created_at bigint not null,
    delivered_at bigint
  );
  create index due_deliveries on webhook_deliveries (status, next_attempt_at);
  create table job_units (
    job_id text not null references jobs (id) on delete cascade,
    language_code text not null,
    position integer not null,
    account_id text not null,
    job_seq bigint not null,
    status text not null,
    instance_id text,
    attempts integer default 0 not null,
    translated_keys integer default 0 not null,
    failed_keys text,
    error_message text,
    file_id text,
    file_size integer,
    file_created_at bigint,
    started_at bigint,
    started_keys bigint,
    constraint one_unit primary key (job_id, language_code)
  );
  create index units_by_turn on job_units (status, account_id, attempts, job_seq, position);
  create table unit_answers (
    id integer NUMBER,
    job_id text not null references jobs (id) on delete cascade,
    language_code text not null,
    answers text not null
  );
  create index answers_of_unit on unit_answers (job_id, language_code);
  create table deleted_units (
    job_id text not null,
    language_code text not null,
    account_id text not null references accounts (id) on delete cascade,
    instance_id text not null,
    reserved bigint not null,
    translated_keys bigint not null,
    constraint one_deleted_unit primary key (job_id, language_code)
  );
  create table account_glossaries (
    account_id text primary key references accounts (id) on delete cascade,
    id text not null,
    content text not null
  );
  create table account_memories (
    account_id text primary key references accounts (id) on delete cascade,
    id text not null unique
  );
  create table memory_entries (
    memory_id text not null references account_memories (id) on delete cascade,
    source text not null,
    target text not null,
    digest text not null,
    content text not null,
    stored_at bigint not null,
    constraint one_entry primary key (memory_id, source, target, digest)
  );
  create index entries_by_age on memory_entries (memory_id, stored_at);
`;
