import { DragomanError } from '../../base/errors.ts';
import { creditsOfJob, type JobRow, type JobStore, type NewJob, type Shortage } from '../store.ts';
import { chargeReserved, reserveFor } from './credits.ts';
import type { Database, Sql } from './database.ts';
import { deliveryOf } from './deliveries.ts';
import {
  claimUnit,
  endUnit,
  findJob,
  giveBackUnit,
  isOutranked,
  keepAnswers,
  keptAnswers,
  recordProgress,
  unitsOf,
} from './job-units.ts';

/** @param instanceId of the process that claims units */
export function jobStore(database: Database, instanceId: string): JobStore {
  const { sql } = database;
  return {
    insert: (job) => database.write((sql) => insertJob(sql, job)),
    async list(accountId, { limit, before }) {
      let jobs = sql.selectFrom('jobs').selectAll().where('account_id', '=', accountId);
      if (before !== undefined) jobs = jobs.where('seq', '<', before);
      return jobs.orderBy('seq', 'desc').limit(limit).execute();
    },
    find: (id) => findJob(sql, id),
    findOf: (accountId, id) => findJobOf(sql, accountId, id),
    units: (jobId) => unitsOf(sql, jobId),
    delivery: (jobId) => deliveryOf(sql, jobId),
    filesOf: (ids) => findFilesOfJobs(sql, ids),
    delete: (accountId, id, now) => database.write((sql) => deleteJob(sql, accountId, id, now)),
    expire: (endedBefore) => database.write((sql) => expireJobs(sql, endedBefore)),
    // Not durable: what a power cut undoes is claimed again.
    claimUnit: (now) => database.write((sql) => claimUnit(sql, instanceId, now), { durable: false }),
    recordProgress: (claim, keys, now) =>
      database.write((sql) => recordProgress(sql, claim, keys, now), { durable: false }),
    endUnit: (ending) => database.write((sql) => endUnit(sql, ending)),
    giveBackUnit: (claim, now) => database.write((sql) => giveBackUnit(sql, claim, now)),
    isOutranked: (claim) => isOutranked(sql, claim),
    keepAnswers: (claim, answers) => database.write((sql) => keepAnswers(sql, claim, answers)),
    keptAnswers: (claim) => keptAnswers(sql, claim),
    async countWaiting() {
      const { waiting } = await sql
        .selectFrom('job_units')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow();
      return waiting;
    },
  };
}

/** @throws DragomanError `limit_exceeded` */
async function requireRoom(sql: Sql, { accountId, bytes }: NewJob): Promise<void> {
  const limits = await sql
    .selectFrom('accounts')
    .select(['max_jobs', 'max_job_bytes'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const { max_jobs: maxJobs = null, max_job_bytes: maxBytes = null } = limits ?? {};
  if (maxJobs === null && maxBytes === null) return;
  const ofAccount = sql.selectFrom('jobs').where('account_id', '=', accountId);
  const { jobs, sources } = await ofAccount
    .select((row) => [
      row.fn.countAll<number>().as('jobs'),
      row.fn.coalesce(row.fn.sum<number>('source_bytes'), row.val(0)).as('sources'),
    ])
    .executeTakeFirstOrThrow();
  if (maxJobs !== null && jobs >= maxJobs) throw noRoom(`${maxJobs} jobs`);
  if (maxBytes === null) return;
  const { files } = await sql
    .selectFrom('job_units')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('file_size'), row.val(0)).as('files'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (sources + files + bytes > maxBytes) throw noRoom(`${maxBytes} bytes of files`);
}

function noRoom(limit: string): DragomanError {
  return new DragomanError('limit_exceeded', `the account cannot have more than ${limit}: delete jobs first`);
}

/** So many are removed in one transaction, which others wait for. */
const EXPIRED_AT_ONCE = 100;

async function expireJobs(sql: Sql, endedBefore: number): Promise<readonly string[]> {
  const rows = await sql
    .selectFrom('jobs')
    .select('id')
    .where('completed_at', '<', endedBefore)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('webhook_deliveries')
            .select('webhook_deliveries.id')
            .whereRef('job_id', '=', 'jobs.id')
            .where('webhook_deliveries.status', '=', 'pending'),
        ),
      ),
    )
    .limit(EXPIRED_AT_ONCE)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await sql.deleteFrom('jobs').where('id', 'in', ids).execute();
  return ids;
}

async function insertJob(sql: Sql, job: NewJob): Promise<Shortage | undefined> {
  await requireRoom(sql, job);
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
      source_bytes: job.bytes,
      total_keys: job.totalKeys,
      translated_keys: 0,
      failed_keys: 0,
      error_message: null,
      webhook_url: job.webhookUrl ?? null,
      reserved: credits,
      served_at: job.now,
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

async function findJobOf(sql: Sql, accountId: string, id: string): Promise<JobRow | undefined> {
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
async function findFilesOfJobs(
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

async function deleteJob(sql: Sql, accountId: string, id: string, now: number): Promise<boolean> {
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
