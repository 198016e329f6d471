import type { Selectable } from 'kysely';
import { chargeReserved, reserveFor, type Shortage } from './credits.ts';
import type { Sql } from './database.ts';
import type { JobTable } from './schema.ts';

export type JobRow = Selectable<JobTable>;

export interface NewJob {
  readonly id: string;
  readonly accountId: string;
  readonly filename: string;
  readonly fileType: JobTable['file_type'];
  /** Canonical codes, each once. */
  readonly sourceLanguage: string;
  readonly targetLanguages: readonly string[];
  readonly totalKeys: number;
  readonly webhookUrl: string | undefined;
  readonly now: number;
}

/** What a translation into every language costs: 1 credit per key and language. */
export function creditsOfJob({ totalKeys, targetLanguages }: NewJob): number {
  return totalKeys * targetLanguages.length;
}

/**
 * Writes down a job with a unit of work per language and reserves what it can cost, in the transaction `sql`.
 *
 * @returns what is left, when that is too little: nothing was written then
 */
export async function insertJob(sql: Sql, job: NewJob): Promise<Shortage | undefined> {
  const credits = creditsOfJob(job);
  const shortage = await reserveFor(sql, job.accountId, credits);
  if (shortage) return shortage;
  const { seq } = await sql
    .insertInto('jobs')
    .values({
      id: job.id,
      account_id: job.accountId,
      status: 'pending',
      filename: job.filename,
      file_type: job.fileType,
      source_language: job.sourceLanguage,
      target_languages: JSON.stringify(job.targetLanguages),
      total_keys: job.totalKeys,
      translated_keys: 0,
      failed_keys: 0,
      error_message: null,
      webhook_url: job.webhookUrl ?? null,
      reserved: credits,
      created_at: job.now,
      updated_at: job.now,
      completed_at: null,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  await sql
    .insertInto('job_units')
    .values(
      job.targetLanguages.map((language, position) => ({
        job_id: job.id,
        language_code: language,
        position,
        account_id: job.accountId,
        job_seq: seq,
        status: 'pending' as const,
        instance_id: null,
        attempts: 0,
        translated_keys: 0,
        failed_keys: null,
        error_message: null,
        file_id: null,
        file_size: null,
        file_created_at: null,
      })),
    )
    .execute();
  return undefined;
}

/** The jobs of an account, newest first. */
export async function listJobs(sql: Sql, accountId: string): Promise<readonly JobRow[]> {
  return sql
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .execute();
}

export async function findJob(sql: Sql, id: string): Promise<JobRow | undefined> {
  return sql.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findJobOf(sql: Sql, accountId: string, id: string): Promise<JobRow | undefined> {
  return sql
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** A statement takes so many parameters everywhere. */
const IDS_PER_STATEMENT = 500;

/** Of these jobs, those that there are, with the ids of their translated files. */
export async function findFilesOfJobs(
  sql: Sql,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const files = new Map<string, Set<string>>();
  for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT) {
    const rows = await sql
      .selectFrom('job_units')
      .select(['job_id', 'file_id'])
      .where('job_id', 'in', ids.slice(start, start + IDS_PER_STATEMENT))
      .execute();
    for (const { job_id, file_id } of rows) {
      const named = files.get(job_id) ?? new Set();
      files.set(job_id, file_id === null ? named : named.add(file_id));
    }
  }
  return files;
}

/** The processes that are registered, dead or alive. */
export async function findInstanceIds(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.selectFrom('instances').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Removes a job with its units and the calls of its webhook, and gives back what it has reserved.
 *
 * @returns whether it was there
 */
export async function deleteJob(sql: Sql, accountId: string, id: string, now: number): Promise<boolean> {
  const job = await findJobOf(sql, accountId, id);
  if (!job) return false;
  await chargeReserved(sql, {
    accountId,
    reserved: job.reserved,
    charge: 0,
    operation: 'i18n',
    reference: id,
    now,
  });
  await sql.deleteFrom('jobs').where('id', '=', id).execute();
  return true;
}
