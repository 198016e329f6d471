import { sql as raw, type RawBuilder, type SqlBool } from 'kysely';
import {
  BYTES_PER_KEY,
  type ClaimedUnit,
  type UnitEnding,
  type JobEnd,
  type JobRow,
  type JobStore,
  type UnitBounds,
  type UnitClaim,
  type UnitEnd,
  type UnitRow,
} from '../store.ts';
import { chargeReserved } from './credits.ts';
import type { Coordination, Sql } from './database.ts';
import { endDeletedUnit } from './deleted-units.ts';
import { enqueueDelivery } from './deliveries.ts';

interface ClaimContext {
  readonly now: number;
  readonly bounds?: UnitBounds | undefined;
}

/** Claims the next unit: see `JobStore.claimUnit`. */
export async function claimUnit(
  sql: Sql,
  coordination: Coordination,
  instanceId: string,
  choice: ClaimContext,
): Promise<ClaimedUnit | undefined> {
  await coordination.requireRegistered(sql, instanceId);
  const unit = await nextUnit(sql, coordination, choice);
  if (!unit) return undefined;
  const { now } = choice;
  await sql
    .updateTable('job_units')
    .set((row) => ({
      status: 'running' as const,
      instance_id: instanceId,
      attempts: unit.attempts + 1,
      started_at: now,
      started_keys: row.ref('translated_keys'),
    }))
    .where('job_id', '=', unit.job_id)
    .where('language_code', '=', unit.language_code)
    .execute();
  await sql
    .updateTable('jobs')
    .set({ status: 'processing', updated_at: now })
    .where('id', '=', unit.job_id)
    .where('status', '=', 'pending')
    .execute();
  await sql.updateTable('jobs').set({ served_at: now }).where('id', '=', unit.job_id).execute();
  await markServed(sql, unit.account_id, now);
  const job = await requireJob(sql, unit.job_id);
  return {
    jobId: job.id,
    language: unit.language_code,
    instanceId,
    accountId: unit.account_id,
    filename: job.filename,
    fileType: job.file_type,
    sourceLanguage: job.source_language,
    totalKeys: job.total_keys,
    size: Math.max(job.total_keys, Math.floor(job.source_bytes / BYTES_PER_KEY)),
    attempts: unit.attempts + 1,
  };
}

/** Restarts the account's waiting time, because one of its units was started or ended. */
async function markServed(sql: Sql, accountId: string, now: number): Promise<void> {
  await sql.updateTable('accounts').set({ served_at: now }).where('id', '=', accountId).execute();
}

type NextUnit = Pick<UnitRow, 'job_id' | 'language_code' | 'attempts' | 'account_id'>;

async function nextUnit(
  sql: Sql,
  coordination: Coordination,
  { now, bounds }: ClaimContext,
): Promise<NextUnit | undefined> {
  const without: string[] = [];
  for (;;) {
    const accountId = await nextAccount(sql, { now, bounds }, without);
    if (accountId === undefined) return undefined;
    const unit = await coordination
      .lockFree(
        sql
          .selectFrom('job_units')
          .select(['job_id', 'language_code', 'attempts', 'account_id'])
          .where('status', '=', 'pending')
          .where('account_id', '=', accountId)
          .$if(bounds !== undefined, (units) =>
            units.where((row) =>
              row.exists(
                row
                  .selectFrom('jobs')
                  .select('jobs.id')
                  .whereRef('jobs.id', '=', 'job_units.job_id')
                  .where(isWithin(bounds)),
              ),
            ),
          )
          .orderBy('attempts')
          .orderBy(
            (row) =>
              row
                .selectFrom('jobs')
                .select(waitBySize(raw.ref('jobs.served_at'), now).as('wait'))
                .whereRef('jobs.id', '=', 'job_units.job_id'),
            'desc',
          )
          .orderBy('job_seq')
          .orderBy('position')
          .limit(1),
      )
      .executeTakeFirst();
    if (unit) return unit;
    // Other processes are currently claiming all units of this account.
    without.push(accountId);
  }
}

/** SQL for `ClaimedUnit.size` of a row of `jobs`. */
const SIZE = raw`case when jobs.source_bytes / ${raw.lit(BYTES_PER_KEY)} > jobs.total_keys
  then jobs.source_bytes / ${raw.lit(BYTES_PER_KEY)} else jobs.total_keys end`;

/** Whether a job is within the bounds. */
function isWithin({ size, bytes, notOf }: Partial<UnitBounds> = {}): RawBuilder<SqlBool> {
  const bounded = [];
  if (size !== undefined) bounded.push(raw`${SIZE} <= cast(${size} as bigint)`);
  if (bytes !== undefined) bounded.push(raw`jobs.source_bytes <= cast(${bytes} as bigint)`);
  if (notOf !== undefined) bounded.push(raw`jobs.account_id <> ${notOf}`);
  return bounded.length === 0 ? raw`true` : raw`${raw.join(bounded, raw` and `)}`;
}

/** The waiting time relative to the size of the job. */
function waitBySize(since: RawBuilder<unknown>, now: number): RawBuilder<number> {
  return raw<number>`(cast(${now} as bigint) - ${since} + 1) * 1.0 / (${SIZE} + 1)`;
}

const SINCE_SERVED = raw`case when jobs.served_at > accounts.served_at then jobs.served_at else accounts.served_at end`;

async function nextAccount(
  sql: Sql,
  { now, bounds }: ClaimContext,
  without: readonly string[],
): Promise<string | undefined> {
  let accounts = sql
    .with('waiting', (cte) =>
      cte
        .selectFrom('job_units')
        .innerJoin('jobs', 'jobs.id', 'job_units.job_id')
        .innerJoin('accounts', 'accounts.id', 'job_units.account_id')
        .select(({ fn }) => [
          'job_units.account_id',
          fn.min('job_seq').as('oldest'),
          fn.max(waitBySize(SINCE_SERVED, now)).as('wait'),
        ])
        .where('job_units.status', '=', 'pending')
        .where(isWithin(bounds))
        .groupBy('job_units.account_id'),
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
    .orderBy('waiting.wait', 'desc')
    .orderBy('accounts.served_at')
    .orderBy('waiting.oldest')
    .limit(1);
  if (without.length > 0) accounts = accounts.where('waiting.account_id', 'not in', without);
  return (await accounts.executeTakeFirst())?.account_id;
}

export async function recordProgress(
  sql: Sql,
  coordination: Coordination,
  claim: UnitClaim,
  keys: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await selectHeldUnit(sql, claim)
    // A restarted unit repeats earlier work; the displayed progress must not decrease.
    .set({ translated_keys: larger(keys) })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  // Other units of the job may report at the same time; the displayed progress must not decrease.
  await requireJob(sql, claim.jobId, coordination);
  await showProgress(sql, claim.jobId, now);
  return true;
}

/** The larger of the recorded and the given number of keys. */
function larger(keys: number): RawBuilder<number> {
  return raw<number>`case when translated_keys < cast(${keys} as bigint) then cast(${keys} as bigint) else translated_keys end`;
}

/** While a job runs, its number of translated keys is the mean over its units. */
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

export async function endUnit(
  sql: Sql,
  coordination: Coordination,
  { claim, end, judge, now }: UnitEnding,
): ReturnType<JobStore['endUnit']> {
  const { numUpdatedRows } = await selectHeldUnit(sql, claim)
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
  if (numUpdatedRows === 0n) {
    if (await endDeletedUnit(sql, claim, end.translatedKeys, now)) return 'deleted';
    return endedBefore(sql, claim, end);
  }
  await sql
    .deleteFrom('unit_answers')
    .where('job_id', '=', claim.jobId)
    .where('language_code', '=', claim.language)
    .execute();
  // If several units end at the same time, exactly one of them counts as the last.
  const job = await requireJob(sql, claim.jobId, coordination);
  await chargeReserved(sql, {
    accountId: job.account_id,
    reserved: job.total_keys,
    charge: end.translatedKeys,
    operation: 'i18n',
    reference: job.id,
    now,
  });
  await markServed(sql, job.account_id, now);
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
  await endJob(sql, coordination, job, judge(job, units), now);
  return 'job ended';
}

/** Whether this ending was already committed but the answer was lost. Without a file, nothing can be lost. */
async function endedBefore(
  sql: Sql,
  { jobId, language }: UnitClaim,
  { file }: UnitEnd,
): ReturnType<JobStore['endUnit']> {
  const unit = (await unitsOf(sql, jobId)).find(({ language_code }) => language_code === language);
  if (!unit || !file || unit.file_id !== file.id) return 'lost';
  return (await requireJob(sql, jobId)).completed_at === null ? 'ended' : 'job ended';
}

async function endJob(
  sql: Sql,
  coordination: Coordination,
  job: JobRow,
  end: JobEnd,
  now: number,
): Promise<void> {
  await sql
    .updateTable('jobs')
    .set({ ...end, updated_at: now, completed_at: now })
    .where('id', '=', job.id)
    .execute();
  if (job.webhook_url === null) return;
  await enqueueDelivery(sql, { accountId: job.account_id, jobId: job.id, url: job.webhook_url, now });
  await coordination.announce(sql, 'deliveries');
}

interface GivenUnit {
  readonly claim: UnitClaim;
  /** The number of keys known to be translated. */
  readonly translatedKeys?: number | undefined;
  readonly now: number;
}

export async function giveBackUnit(
  sql: Sql,
  coordination: Coordination,
  { claim, translatedKeys = 0, now }: GivenUnit,
): Promise<boolean> {
  const { numUpdatedRows } = await selectHeldUnit(sql, claim)
    .set((row) => ({
      status: 'pending' as const,
      instance_id: null,
      attempts: row('attempts', '-', 1),
      translated_keys: larger(translatedKeys),
    }))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    await endDeletedUnit(sql, claim, translatedKeys, now);
    return false;
  }
  await coordination.announce(sql, 'units');
  const { account_id: accountId } = await sql
    .updateTable('jobs')
    .set({ served_at: now })
    .where('id', '=', claim.jobId)
    .returning('account_id')
    .executeTakeFirstOrThrow();
  await markServed(sql, accountId, now);
  return true;
}

/** See `JobStore.hasWaitingUnit`. */
export async function hasWaitingUnit(sql: Sql, bounds: UnitBounds, since: number): Promise<boolean> {
  const waiting = await sql
    .selectFrom('job_units')
    .innerJoin('jobs', 'jobs.id', 'job_units.job_id')
    .select('job_units.job_id')
    .where('job_units.status', '=', 'pending')
    .where('jobs.served_at', '<=', since)
    .where(isWithin(bounds))
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}

/** Releases units that a process claimed without knowing it, because the answer to the claim was lost. */
export async function giveBackUnits(
  sql: Sql,
  coordination: Coordination,
  instanceId: string,
  isKnown: (claim: UnitClaim) => boolean,
  now: number,
): Promise<void> {
  const rows = await sql
    .selectFrom('job_units')
    .select(['job_id', 'language_code'])
    .where('status', '=', 'running')
    .where('instance_id', '=', instanceId)
    .orderBy('job_id')
    .orderBy('position')
    .execute();
  const claims = rows.map((row) => ({ jobId: row.job_id, language: row.language_code, instanceId }));
  for (const claim of claims) if (!isKnown(claim)) await giveBackUnit(sql, coordination, { claim, now });
}

/** Selects a running unit, if that process still holds it. */
export function selectHeldUnit(sql: Sql, { jobId, language, instanceId }: UnitClaim) {
  return sql
    .updateTable('job_units')
    .where('job_id', '=', jobId)
    .where('language_code', '=', language)
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'running');
}

async function requireJob(sql: Sql, id: string, coordination?: Pick<Coordination, 'lock'>): Promise<JobRow> {
  const job = await findJob(sql, id, coordination);
  if (!job) throw new Error(`no job ${id} of a unit`);
  return job;
}

/** Finds a job, and locks its row if `coordination` is given. */
export async function findJob(
  sql: Sql,
  id: string,
  coordination?: Pick<Coordination, 'lock'>,
): Promise<JobRow | undefined> {
  const query = sql.selectFrom('jobs').selectAll().where('id', '=', id);
  return (coordination?.lock(query) ?? query).executeTakeFirst();
}

/** The units of a job, in the order of its languages. */
export async function unitsOf(sql: Sql, jobId: string): Promise<readonly UnitRow[]> {
  return sql.selectFrom('job_units').selectAll().where('job_id', '=', jobId).orderBy('position').execute();
}
