import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Makes a column number its rows. */
type Numbering = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** The first migration: the tables of the first release. It never changes. */
export async function createTables(kysely: Kysely<Schema>, numbering: Numbering): Promise<void> {
  await createAccounts(kysely);
  await createMetering(kysely, numbering);
  await createJobs(kysely, numbering);
  await createUnits(kysely, numbering);
  await createResources(kysely);
}

async function createAccounts({ schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('full_name', 'text', (column) => column.notNull())
    .addColumn('granted', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('balance', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('reserved', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('requests_successful', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('requests_failed', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('served_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('webhook_secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('max_jobs', 'bigint')
    .addColumn('max_job_bytes', 'bigint')
    .addColumn('max_concurrency', 'bigint')
    .addCheckConstraint('spendable', sql`reserved >= 0 and balance >= reserved`)
    .execute();
  await schema
    .createTable('keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute();
  await schema.createIndex('keys_of_account').on('keys').column('account_id').execute();
}

async function createMetering({ schema }: Kysely<Schema>, numbering: Numbering): Promise<void> {
  await schema
    .createTable('ledger')
    .addColumn('id', 'integer', (column) => numbering(column.primaryKey()))
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('reference', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('instances')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('holds')
    .addColumn('instance_id', 'text', (column) => column.notNull().references('instances.id'))
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('one_hold', ['instance_id', 'account_id'])
    .execute();
  await schema
    .createTable('rate_windows')
    .addColumn('key_id', 'text', (column) => column.primaryKey().references('keys.id').onDelete('cascade'))
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('requests', 'integer', (column) => column.notNull())
    .execute();
}

async function createJobs({ schema }: Kysely<Schema>, numbering: Numbering): Promise<void> {
  await schema
    .createTable('jobs')
    .addColumn('seq', 'integer', (column) => numbering(column.primaryKey()))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('filename', 'text', (column) => column.notNull())
    .addColumn('file_type', 'text', (column) => column.notNull())
    .addColumn('source_language', 'text', (column) => column.notNull())
    .addColumn('target_languages', 'text', (column) => column.notNull())
    .addColumn('total_keys', 'integer', (column) => column.notNull())
    .addColumn('translated_keys', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('failed_keys', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('error_message', 'text')
    .addColumn('webhook_url', 'text')
    .addColumn('reserved', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('completed_at', 'bigint')
    .addColumn('source_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('served_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('jobs_of_account').on('jobs').columns(['account_id', 'seq']).execute();
  await schema.createIndex('jobs_by_end').on('jobs').column('completed_at').execute();
  await schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('instance_id', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('delivered_at', 'bigint')
    .execute();
  await schema
    .createIndex('due_deliveries')
    .on('webhook_deliveries')
    .columns(['status', 'next_attempt_at'])
    .execute();
}

async function createUnits({ schema }: Kysely<Schema>, numbering: Numbering): Promise<void> {
  await schema
    .createTable('job_units')
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('job_seq', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('instance_id', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('translated_keys', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('failed_keys', 'text')
    .addColumn('error_message', 'text')
    .addColumn('file_id', 'text')
    .addColumn('file_size', 'integer')
    .addColumn('file_created_at', 'bigint')
    .addColumn('started_at', 'bigint')
    .addColumn('started_keys', 'bigint')
    .addPrimaryKeyConstraint('one_unit', ['job_id', 'language_code'])
    .execute();
  await schema
    .createIndex('units_by_turn')
    .on('job_units')
    .columns(['status', 'account_id', 'attempts', 'job_seq', 'position'])
    .execute();
  await schema
    .createTable('unit_answers')
    .addColumn('id', 'integer', (column) => numbering(column.primaryKey()))
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('answers', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('answers_of_unit')
    .on('unit_answers')
    .columns(['job_id', 'language_code'])
    .execute();
  // Pending charges of deleted jobs.
  await schema
    .createTable('deleted_units')
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('reserved', 'bigint', (column) => column.notNull())
    .addColumn('translated_keys', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('one_deleted_unit', ['job_id', 'language_code'])
    .execute();
}

/** Glossaries and memories of accounts. */
async function createResources({ schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable('account_glossaries')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('account_memories')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .execute();
  await schema
    .createTable('memory_entries')
    .addColumn('memory_id', 'text', (column) =>
      column.notNull().references('account_memories.id').onDelete('cascade'),
    )
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('stored_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('one_entry', ['memory_id', 'source', 'target', 'digest'])
    .execute();
  await schema
    .createIndex('entries_by_age')
    .on('memory_entries')
    .columns(['memory_id', 'stored_at'])
    .execute();
}
