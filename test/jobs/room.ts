import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { CreateJobRequest, JobWithFiles } from '../../src/contract/jobs.ts';
import type { Engine } from '../../src/engines/engine.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { openJobs, type JobsOptions } from '../../src/jobs/open-jobs.ts';
import type { JobFile, JobService } from '../../src/service/service.ts';
import type { Database } from '../../src/store/shared/database.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Account } from '../../src/store/account-store.ts';
import type { Instance, Store } from '../../src/store/store.ts';

/** A data directory with everything that jobs need, opened as the server opens it. The caller closes it. */
export interface Room {
  readonly directory: string;
  readonly store: Store;
  /** Direct access to the tables, bypassing the store. */
  readonly database: Database;
  readonly instance: Instance;
  readonly jobs: Jobs;
  /** Closes everything but keeps the directory. */
  leave(graceMs?: number): Promise<void>;
  /** Closes everything, and removes the directory. */
  close(): Promise<void>;
}

export type RoomOptions = Partial<JobsOptions>;

export const PUBLIC_URL = 'https://translate.example/base/';
const signal = new AbortController().signal;

export async function openRoom(options: RoomOptions = {}): Promise<Room> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'dragoman-jobs-')));
  const store = await openSqliteStore(directory);
  const database = await openDatabase(directory);
  const instance = await store.register();
  const jobs = await openJobs({
    instance,
    engine: createPseudoEngine(),
    publicUrl: () => PUBLIC_URL,
    workers: 1,
    ...options,
    directory,
  });
  const leave = async (graceMs = 0): Promise<void> => {
    await jobs.close(graceMs);
    await instance.close();
    await store.close();
    await database.close();
  };
  return {
    directory,
    store,
    database,
    instance,
    jobs,
    leave,
    async close() {
      await leave();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

let accounts = 0;

export async function addAccount({ store }: Pick<Room, 'store'>, credits = 1_000_000): Promise<string> {
  const email = `user${++accounts}@example.com`;
  const { account } = await store.accounts.create({ email, fullName: 'A User', credits });
  return account.id;
}

let uploads = 0;

/** Writes an upload into the room's directory, as a separate file, because jobs may be created at once. */
export async function writeUpload(
  { directory }: Pick<Room, 'directory'>,
  filename: string,
  content: string | Uint8Array,
): Promise<{ filename: string; path: string }> {
  const path = join(directory, `upload-${++uploads}-${filename.replaceAll(/[^\w.-]/g, '_').slice(-60)}`);
  await writeFile(path, content);
  return { filename, path };
}

export interface Ask {
  readonly filename?: string;
  readonly content?: string | Uint8Array;
  readonly source?: string;
  readonly targets?: string;
  readonly webhook?: string;
}

/** Creates a job with a small JSON file, in English by default, and returns its id. */
export async function createJob(
  room: Pick<Room, 'directory' | 'jobs'>,
  accountId: string,
  ask: Ask = {},
): Promise<string> {
  const { filename = 'messages.json', content = '{"greeting":"Hello","farewell":"Goodbye"}' } = ask;
  const upload = await writeUpload(room, filename, content);
  const request: CreateJobRequest = {
    source_language: ask.source ?? 'en',
    target_languages: ask.targets ?? 'fr',
    ...(ask.webhook === undefined ? {} : { webhook_url: ask.webhook }),
  };
  const { job_id } = await room.jobs.of(accountId).createJob(request, upload, { signal });
  return job_id;
}

export function status(room: Room, accountId: string, id: string): Promise<JobWithFiles> {
  return room.jobs.of(accountId).jobStatus(id, { signal });
}

/** Looking more often would take processor time from the work that tests wait for. */
const LOOK_MS = 20;

/** Waits until a condition holds, and fails if it never does. */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  what: string,
  limitMs = 240_000,
): Promise<T> {
  const limit = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > limit) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Waits for the end of a job. */
export function ended(room: Room, accountId: string, id: string, limitMs?: number): Promise<JobWithFiles> {
  return until(
    async () => {
      const job = await status(room, accountId, id);
      return job.completed_at !== null && job;
    },
    `job ${id} ends`,
    limitMs,
  );
}

export async function download(service: JobService, id: string, language: string): Promise<Buffer> {
  return contentOf(await service.downloadJob(id, { language_code: language }, { signal }));
}

export async function contentOf(file: JobFile): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of file.content) parts.push(part);
  return Buffer.concat(parts);
}

export async function accountOf({ store }: Room, id: string): Promise<Account> {
  const account = await store.accounts.find(id);
  if (!account) throw new Error(`no account ${id}`);
  return account;
}

/** Checks the rules for the balances of all accounts: see the schema. */
export async function checkBooks({ database }: Room): Promise<void> {
  const accounts = await database.sql.selectFrom('accounts').selectAll().execute();
  for (const { id, balance, reserved } of accounts) {
    const ledger = await database.sql
      .selectFrom('ledger')
      .select(({ fn }) => fn.sum<number>('amount').as('sum'))
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    const jobs = await database.sql
      .selectFrom('jobs')
      .select(({ fn }) => fn.sum<number | null>('reserved').as('sum'))
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    if (balance !== (ledger.sum ?? 0)) throw new Error(`balance ${balance}, ledger ${ledger.sum}`);
    if (reserved !== (jobs.sum ?? 0)) throw new Error(`reserved ${reserved}, jobs ${jobs.sum}`);
  }
}

/** An engine made from a function. It supports every pair by default. */
export function fakeEngine(
  translate: Engine['translate'],
  supports: Engine['supports'] = () => Promise.resolve(true),
): Engine {
  return {
    id: 'fake',
    status: () => Promise.resolve({ id: 'fake', ready: true, detail: 'fake', pairs: 'any' }),
    supports,
    translate,
    close: () => Promise.resolve(),
  };
}

export const noSignal = { signal };
