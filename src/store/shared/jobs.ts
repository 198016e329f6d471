import { DragomanError } from '../../base/errors.ts';
import {
  creditsOfJob,
  type JobPage,
  type JobRow,
  type JobStore,
  type NewJob,
  type Shortage,
  type UnitClaim,
} from '../store.ts';
import { chargeReserved, reserveFor } from './credits.ts';
import type { Coordination, Database, Sql } from './database.ts';
import { keepDeletedUnit } from './deleted-units.ts';
import { deliveryOf } from './deliveries.ts';
import {
  claimUnit,
  endUnit,
  findJob,
  giveBackUnit,
  giveBackUnits,
  hasWaitingUnit,
  recordProgress,
  unitsOf,
} from './job-units.ts';
import { keepAnswers, keptAnswers } from './unit-answers.ts';
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/** @param ownId returns the current id of the process that claims units */
export function jobStore(database: Database, ownId: () => string): JobStore {
  const { sql, coordination } = database;
  /** The units that this process knows it holds. */
  const known = new Set<string>();
  let isUncertain = false;
  const claimNext: JobStore['claimUnit'] = async (now, bounds) => {
    const id = ownId();
    if (isUncertain) {
      await database.write((sql) =>
        giveBackUnits(sql, coordination, id, (claim) => known.has(nameOf(claim)), now),
      );
      isUncertain = false;
    }
    try {
      // The write is not durable, because claims lost in a power cut are made again.
      const unit = await database.write((sql) => claimUnit(sql, coordination, id, { now, bounds }), {
        durable: false,
        once: true,
      });
      if (unit) known.add(nameOf(unit));
      return unit;
    } catch (error) {
      isUncertain = true;
      throw error;
    }
  };
  return {
    insert: (job) => database.write((sql) => insertJob(sql, coordination, job)),
    list: (accountId, page) => listJobs(sql, accountId, page),
    find: (id) => findJob(sql, id),
    findOf: (accountId, id) => findJobOf(sql, accountId, id),
    async newest() {
      const row = await sql
        .selectFrom('jobs')
        .select('id')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.id;
    },
    units: (jobId) => unitsOf(sql, jobId),
    delivery: (jobId) => deliveryOf(sql, jobId),
    filesOf: (ids) => findFilesOfJobs(sql, ids),
    delete: (accountId, id, now) =>
      database.write((sql) => deleteJob(sql, coordination, accountId, id, now), { once: true }),
    expire: (endedBefore) => database.write((sql) => expireJobs(sql, coordination, endedBefore)),
    claimUnit: claimNext,
    recordProgress: (claim, keys, now) =>
      database.write((sql) => recordProgress(sql, coordination, claim, keys, now), { durable: false }),
    async endUnit(ending) {
      const ended = await database.write((sql) => endUnit(sql, coordination, ending));
      known.delete(nameOf(ending.claim));
      return ended;
    },
    async giveBackUnit(claim, now, translatedKeys) {
      const given = { claim, translatedKeys, now };
      const wasOurs = await database.write((sql) => giveBackUnit(sql, coordination, given));
      known.delete(nameOf(claim));
      return wasOurs;
    },
    hasWaitingUnit: (bounds, since) => hasWaitingUnit(sql, bounds, since),
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

async function listJobs(
  sql: Sql,
  accountId: string,
  { limit, cursor }: Parameters<JobStore['list']>[1],
): Promise<JobPage> {
  const secret = async (): Promise<string> => {
    const account = sql.selectFrom('accounts').select('webhook_secret').where('id', '=', accountId);
    return (await account.executeTakeFirstOrThrow()).webhook_secret;
  };
  let rows = sql.selectFrom('jobs').selectAll().where('account_id', '=', accountId);
  if (cursor !== undefined) rows = rows.where('seq', '<', readCursor(await secret(), cursor));
  // Requests one more than it returns, to learn whether more exist.
  const found = await rows
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  const jobs = found.slice(0, limit);
  const last = jobs.at(-1);
  return { jobs, next: last && found.length > limit ? writeCursor(await secret(), last.seq) : undefined };
}

function nameOf({ jobId, language, instanceId }: UnitClaim): string {
  return `${instanceId} ${jobId} ${language}`;
}

/** @throws DragomanError `limit_exceeded` */
async function requireRoom(
  sql: Sql,
  coordination: Coordination,
  { accountId, bytes }: NewJob,
): Promise<void> {
  // Locks the account, so that concurrent jobs are counted one after the other.
  const limits = await coordination
    .lock(sql.selectFrom('accounts').select(['max_jobs', 'max_job_bytes']).where('id', '=', accountId))
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

/** Jobs removed per transaction, for which other writers wait. */
const EXPIRED_AT_ONCE = 100;

async function expireJobs(
  sql: Sql,
  coordination: Coordination,
  endedBefore: number,
): Promise<readonly string[]> {
  const expirable = sql
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
    );
  const chosen = idsOf(await expirable.limit(EXPIRED_AT_ONCE).execute());
  if (chosen.length === 0) return [];
  await lockUnits(sql, coordination, chosen);
  await coordination
    .lock(sql.selectFrom('jobs').select('id').where('id', 'in', chosen).orderBy('id'))
    .execute();
  // Other processes may have removed jobs meanwhile, or requested a webhook again.
  const ids = idsOf(await expirable.where('id', 'in', chosen).execute());
  if (ids.length > 0) await sql.deleteFrom('jobs').where('id', 'in', ids).execute();
  for (const id of ids) await coordination.announce(sql, `deleted ${id}`);
  return ids;
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

async function lockUnits(sql: Sql, coordination: Coordination, jobIds: readonly string[]): Promise<void> {
  const units = sql.selectFrom('job_units').select('position').where('job_id', 'in', jobIds);
  await coordination.lock(units.orderBy('job_id').orderBy('position')).execute();
}

async function insertJob(sql: Sql, coordination: Coordination, job: NewJob): Promise<Shortage | undefined> {
  if (await findJob(sql, job.id)) return undefined;
  await requireRoom(sql, coordination, job);
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
  await coordination.announce(sql, 'units');
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

/** A number of parameters that every database accepts. */
const IDS_PER_STATEMENT = 500;

/** The existing jobs among these, with the ids of their translated files. */
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

async function deleteJob(
  sql: Sql,
  coordination: Coordination,
  accountId: string,
  id: string,
  now: number,
): Promise<boolean> {
  if (!(await findJobOf(sql, accountId, id))) return false;
  await lockUnits(sql, coordination, [id]);
  // Reads the current reservation: a unit may just have ended.
  const job = await findJob(sql, id, coordination);
  if (!job) return false;
  const units = await unitsOf(sql, id);
  const running = units.filter(({ status }) => status === 'running');
  for (const unit of running) await keepDeletedUnit(sql, unit, job.total_keys);
  const begun = units.filter(({ status }) => status === 'pending').map((unit) => unit.translated_keys);
  await chargeReserved(sql, {
    accountId,
    reserved: job.reserved - running.length * job.total_keys,
    charge: begun.reduce((sum, keys) => sum + Math.min(keys, job.total_keys), 0),
    operation: 'i18n',
    reference: id,
    now,
  });
  await sql.deleteFrom('jobs').where('id', '=', id).execute();
  await coordination.announce(sql, `deleted ${id}`);
  return true;
}

/**
 * Clients get the start of the next page of jobs as a cursor. Rows are numbered across all accounts, so a plain number
 * would reveal how many jobs others have. A cursor is one block, encrypted with a key of the account: 8 of its 16 bytes
 * are the number, and the others mark it as a cursor of this account.
 */
const CIPHER = 'aes-256-ecb';
const MARK = Buffer.from('jobs\0\0\0\0');
const CURSOR = /^[\w-]{22}$/;

/** @param secret the account's secret */
function writeCursor(secret: string, place: number): string {
  const block = Buffer.alloc(16);
  MARK.copy(block);
  block.writeBigUInt64BE(BigInt(place), MARK.length);
  const cipher = createCipheriv(CIPHER, keyOf(secret), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
}

/** @throws DragomanError `invalid_request` unless it is a cursor of this account */
function readCursor(secret: string, cursor: string): number {
  if (!CURSOR.test(cursor)) throw notACursor();
  const decipher = createDecipheriv(CIPHER, keyOf(secret), null).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(Buffer.from(cursor, 'base64url')), decipher.final()]);
  if (!block.subarray(0, MARK.length).equals(MARK)) throw notACursor();
  return Number(block.readBigUInt64BE(MARK.length));
}

function keyOf(secret: string): Buffer {
  return createHmac('sha256', secret).update('cursor of a page of jobs').digest();
}

/** The error for an invalid cursor, including the plain numbers of earlier versions. */
function notACursor(): DragomanError {
  return new DragomanError(
    'invalid_request',
    'cursor must come from an earlier page: take it from the Link header, or start with the first page',
  );
}
