import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enqueueDelivery } from '../../src/store/shared/deliveries.ts';
import type { Database } from '../../src/store/shared/database.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { jobRow } from './harness.ts';

/** More than one page of rows. */
const MANY = 620;

export interface FilledStore {
  readonly accountId: string;
  /** A valid key of the account. */
  readonly key: string;
  /** A finished job with a translation into French. */
  readonly jobId: string;
  readonly translation: string;
}

/**
 * Fills a data directory with every kind of row that a store has: accounts with limits, revoked keys, a glossary and a
 * memory, a long ledger, jobs in every state with their files, stored answers, webhook calls, and leftovers of a killed
 * process.
 */
export async function fillStore(
  directory: string,
  {
    webhook = 'https://hooks.example/',
    files = 0,
  }: { readonly webhook?: string; readonly files?: number } = {},
): Promise<FilledStore> {
  const store = await openSqliteStore(directory);
  const { account } = await store.accounts.create({
    email: 'anna@example.org',
    fullName: 'Änne',
    credits: 5_000,
  });
  const key = await store.accounts.resetKey('anna@example.org');
  await store.accounts.limit('anna@example.org', { jobs: 5_000, bytes: 9_000_000_000 });
  await store.resources.setMemory(account.id, true);
  const memoryId = (await store.resources.list()).get(account.id)?.memoryId ?? '';
  const entries = Array.from({ length: MANY }, (_, i) => ({
    digest: `d${i}`,
    content: '[null,"\\u0000 €"]',
  }));
  await store.resources.storeTranslations({ memoryId, source: 'en', target: 'fr' }, entries);
  await store.resources.setGlossary(account.id, '[{"term":"\\u0000 €"}]');
  await store.accounts.create({ email: 'ben@example.org', fullName: 'Ben', credits: 0 });
  await store.close();
  const database = await openDatabase(directory);
  const translation = '{\n  "a": "Un € de plus"\n}\n';
  const jobId = 'c0ffee00-0000-4000-8000-000000000001';
  try {
    await addLedger(database, account.id);
    await addJobs(database, directory, { accountId: account.id, jobId, webhook, translation, files });
    await addDeadProcess(database, account.id);
  } finally {
    await database.close();
  }
  return { accountId: account.id, key, jobId, translation };
}

function addLedger(database: Database, accountId: string): Promise<void> {
  return database.write(async (sql) => {
    for (let i = 0; i < MANY; i++) {
      const entry = {
        account_id: accountId,
        amount: -1,
        operation: 'translate',
        reference: `r${i}`,
        created_at: i,
      };
      await sql.insertInto('ledger').values(entry).execute();
    }
    await sql
      .updateTable('accounts')
      .set((eb) => ({ balance: eb('balance', '-', MANY), requests_successful: MANY, requests_failed: 3 }))
      .where('id', '=', accountId)
      .execute();
  });
}

interface FilledJobs {
  readonly accountId: string;
  readonly jobId: string;
  readonly webhook: string;
  readonly translation: string;
  readonly files: number;
}

async function addJobs(database: Database, directory: string, filled: FilledJobs): Promise<void> {
  const { accountId, jobId, webhook, translation, files } = filled;
  const write = (id: string, name: string, content: string): number => {
    mkdirSync(join(directory, 'jobs', id), { recursive: true });
    writeFileSync(join(directory, 'jobs', id, name), content);
    return Buffer.byteLength(content);
  };
  const unit = { account_id: accountId, position: 0, attempts: 1, translated_keys: 1, failed_keys: null };
  await database.write(async (sql) => {
    const jobs = [jobId, 'failed', 'running', ...Array.from({ length: files }, (_, i) => `more${i}`)];
    for (const [i, id] of jobs.entries()) {
      const isDone = id === jobId || id.startsWith('more');
      const reserved = id === 'running' ? MANY : 0;
      await sql
        .insertInto('jobs')
        .values({
          ...jobRow(id, accountId, reserved),
          status: isDone ? 'completed' : id === 'failed' ? 'failed' : 'processing',
          webhook_url: isDone ? webhook : null,
          source_bytes: write(
            id,
            'source',
            id === 'failed' ? '' : `{ "a": "${'One more '.repeat(isDone ? 1 : 90_000)}" }`,
          ),
          error_message: id === 'failed' ? 'no “engine”' : null,
          completed_at: id === 'running' ? null : 7 + i,
        })
        .execute();
      if (!isDone) continue;
      await sql
        .insertInto('job_units')
        .values({
          ...unit,
          job_id: id,
          job_seq: i + 1,
          language_code: 'fr',
          status: 'done',
          file_id: 'f1',
          file_size: write(id, 'f1', translation),
          file_created_at: 8,
        })
        .execute();
    }
    for (let i = 0; i < MANY; i++) {
      const key = { job_id: 'running', language_code: `fr-x-n${i}`, job_seq: 3 };
      await sql
        .insertInto('job_units')
        .values({ ...unit, ...key, position: i, status: 'pending' })
        .execute();
      const { job_seq: _, ...ofUnit } = key;
      await sql
        .insertInto('unit_answers')
        .values({ ...ofUnit, answers: '[["d","\\u0000 €"]]' })
        .execute();
    }
    await sql
      .updateTable('accounts')
      .set((eb) => ({ reserved: eb('reserved', '+', MANY) }))
      .where('id', '=', accountId)
      .execute();
    await enqueueDelivery(sql, { accountId, jobId, url: webhook, now: 7 });
    await enqueueDelivery(sql, { accountId, jobId: 'failed', url: 'https://gone.example/', now: 7 });
    const gaveUp = {
      status: 'failed',
      attempts: 4,
      last_error: 'the receiver answered 500',
      body: '{"é":1}',
    } as const;
    await sql.updateTable('webhook_deliveries').set(gaveUp).where('job_id', '=', 'failed').execute();
  });
}

/** Adds a dead process that held credits and had started a unit and a call. */
function addDeadProcess(database: Database, accountId: string): Promise<void> {
  return database.write(async (sql) => {
    await sql.insertInto('instances').values({ id: 'dead', started_at: 0 }).execute();
    await sql
      .insertInto('holds')
      .values({ instance_id: 'dead', account_id: accountId, amount: 40 })
      .execute();
    await sql
      .updateTable('accounts')
      .set((eb) => ({ reserved: eb('reserved', '+', 40) }))
      .where('id', '=', accountId)
      .execute();
    await sql
      .updateTable('job_units')
      .set({ status: 'running', instance_id: 'dead' })
      .where('language_code', '=', 'fr-x-n0')
      .execute();
    await sql
      .updateTable('webhook_deliveries')
      .set({ instance_id: 'dead' })
      .where('status', '=', 'pending')
      .execute();
  });
}
