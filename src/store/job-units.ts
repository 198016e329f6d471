import type { Selectable } from 'kysely';
import { chargeReserved } from './credits.ts';
import type { Sql } from './database.ts';
import { enqueueDelivery } from './deliveries.ts';
import type { JobRow } from './jobs.ts';
import { findJob } from './jobs.ts';
import type { JobTable, JobUnitTable } from './schema.ts';

export type UnitRow = Selectable<JobUnitTable>;

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
  /** How often it was begun, with this time. */
  readonly attempts: number;
}

/**
 * Takes on the next unit: of the account that has the fewest running anywhere, then of the one that was served longest
 * ago, then of the oldest job. Units that were begun before come after the others of their account: one that kills its
 * process does not keep the rest from being done.
 */
export async function claimUnit(sql: Sql, instanceId: string, now: number): Promise<ClaimedUnit | undefined> {
  const accountId = await nextAccount(sql);
  if (accountId === undefined) return undefined;
  const unit = await sql
    .selectFrom('job_units')
    .select(['job_id', 'language_code', 'attempts'])
    .where('status', '=', 'pending')
    .where('account_id', '=', accountId)
    .orderBy('attempts')
    .orderBy('job_seq')
    .orderBy('position')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { numUpdatedRows } = await sql
    .updateTable('job_units')
    .set({ status: 'running', instance_id: instanceId, attempts: unit.attempts + 1, translated_keys: 0 })
    .where('job_id', '=', unit.job_id)
    .where('language_code', '=', unit.language_code)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  await sql.updateTable('accounts').set({ served_at: now }).where('id', '=', accountId).execute();
  await sql
    .updateTable('jobs')
    .set({ status: 'processing', updated_at: now })
    .where('id', '=', unit.job_id)
    .where('status', '=', 'pending')
    .execute();
  const job = await requireJob(sql, unit.job_id);
  return {
    jobId: job.id,
    language: unit.language_code,
    instanceId,
    accountId,
    filename: job.filename,
    fileType: job.file_type,
    sourceLanguage: job.source_language,
    totalKeys: job.total_keys,
    attempts: unit.attempts + 1,
  };
}

async function nextAccount(sql: Sql): Promise<string | undefined> {
  const next = await sql
    .with('waiting', (cte) =>
      cte
        .selectFrom('job_units')
        .select(({ fn }) => ['account_id', fn.min('job_seq').as('oldest')])
        .where('status', '=', 'pending')
        .groupBy('account_id'),
    )
    .with('busy', (cte) =>
      cte
        .selectFrom('job_units')
        .select(({ fn }) => ['account_id', fn.countAll<number>().as('running')])
        .where('status', '=', 'running')
        .groupBy('account_id'),
    )
    .selectFrom('waiting')
    .innerJoin('accounts', 'accounts.id', 'waiting.account_id')
    .leftJoin('busy', 'busy.account_id', 'waiting.account_id')
    .select('waiting.account_id')
    .orderBy((row) => row.fn.coalesce('busy.running', row.val(0)))
    .orderBy('accounts.served_at')
    .orderBy('waiting.oldest')
    .limit(1)
    .executeTakeFirst();
  return next?.account_id;
}

/** Shows how many keys of a running unit are done. False when the unit is not this process's any more. */
export async function recordProgress(
  sql: Sql,
  claim: UnitClaim,
  translatedKeys: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await held(sql, claim)
    .set({ translated_keys: translatedKeys })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await showProgress(sql, claim.jobId, now);
  return true;
}

/** While a job runs, its count of translated keys is the mean of its units'. */
async function showProgress(sql: Sql, jobId: string, now: number): Promise<void> {
  const { done, units } = await sql
    .selectFrom('job_units')
    .select(({ fn }) => [fn.sum<number>('translated_keys').as('done'), fn.countAll<number>().as('units')])
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow();
  await sql
    .updateTable('jobs')
    .set({ translated_keys: Math.floor(done / units), updated_at: now })
    .where('id', '=', jobId)
    .execute();
}

/** What became of a unit. */
export interface UnitEnd {
  /** Keys that have a translation; 0 where there is no file. */
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
  /** Judges a job by its units, in the order of its languages, when all have ended. */
  readonly judge: (job: JobRow, units: readonly UnitRow[]) => JobEnd;
  readonly now: number;
}

/**
 * Ends a unit: charges the keys that it translated, gives back what was reserved for the others, and ends the job, with
 * the call of its webhook, when it was the last. All of it or nothing, in the transaction `sql`.
 *
 * @returns `lost` when the unit is not this process's any more: it was given to another, or its job was deleted
 */
export async function endUnit(
  sql: Sql,
  { claim, end, judge, now }: Ending,
): Promise<'lost' | 'ended' | 'job ended'> {
  const { numUpdatedRows } = await held(sql, claim)
    .set({
      status: end.file ? 'done' : 'failed',
      instance_id: null,
      translated_keys: end.translatedKeys,
      failed_keys: end.failedKeys,
      error_message: end.errorMessage,
      file_id: end.file?.id ?? null,
      file_size: end.file?.size ?? null,
      file_created_at: end.file ? now : null,
    })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return 'lost';
  const job = await requireJob(sql, claim.jobId);
  await chargeReserved(sql, {
    accountId: job.account_id,
    reserved: job.total_keys,
    charge: end.translatedKeys,
    operation: 'i18n',
    reference: job.id,
    now,
  });
  await sql
    .updateTable('jobs')
    .set((row) => ({ reserved: row('reserved', '-', job.total_keys) }))
    .where('id', '=', job.id)
    .execute();
  const units = await unitsOf(sql, job.id);
  if (units.some(({ status }) => status === 'pending' || status === 'running')) {
    await showProgress(sql, job.id, now);
    return 'ended';
  }
  await endJob(sql, job, judge(job, units), now);
  return 'job ended';
}

async function endJob(sql: Sql, job: JobRow, end: JobEnd, now: number): Promise<void> {
  await sql
    .updateTable('jobs')
    .set({ ...end, updated_at: now, completed_at: now })
    .where('id', '=', job.id)
    .execute();
  if (job.webhook_url === null) return;
  await enqueueDelivery(sql, { accountId: job.account_id, jobId: job.id, url: job.webhook_url, now });
}

/**
 * Gives a unit back that this process has not ended: it is as if it had not been begun. False when the unit is not this
 * process's any more.
 */
export async function giveBackUnit(sql: Sql, claim: UnitClaim): Promise<boolean> {
  const { numUpdatedRows } = await held(sql, claim)
    .set((row) => ({ status: 'pending' as const, instance_id: null, attempts: row('attempts', '-', 1) }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The units of a job, in the order of its languages. */
export async function unitsOf(sql: Sql, jobId: string): Promise<readonly UnitRow[]> {
  return sql.selectFrom('job_units').selectAll().where('job_id', '=', jobId).orderBy('position').execute();
}

export async function countWaitingUnits(sql: Sql): Promise<number> {
  const { waiting } = await sql
    .selectFrom('job_units')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return waiting;
}

function held(sql: Sql, { jobId, language, instanceId }: UnitClaim) {
  return sql
    .updateTable('job_units')
    .where('job_id', '=', jobId)
    .where('language_code', '=', language)
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'running');
}

async function requireJob(sql: Sql, id: string): Promise<JobRow> {
  const job = await findJob(sql, id);
  if (!job) throw new Error(`no job ${id} of a unit`);
  return job;
}
