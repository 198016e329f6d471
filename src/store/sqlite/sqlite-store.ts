import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath, writeAtomically } from '../../base/atomic-file.ts';
import { systemError } from '../../base/system-error.ts';
import { accountStore } from '../shared/accounts.ts';
import { type HeldStore, requireAlone, type StoreContents } from '../shared/contents.ts';
import { deliveryOf, redeliver, deliveryStore } from '../shared/deliveries.ts';
import { resourceStore } from '../shared/resources.ts';
import type { Store, Instance, InstanceOptions } from '../store.ts';
import { type DatabaseOptions, openDatabase, DATABASE_FILE, type SqliteDatabase } from './database.ts';
import { randomUUID } from 'node:crypto';
import type { Coordination, Database, Sql } from '../shared/database.ts';
import { jobStore } from '../shared/jobs.ts';
import { meteringOf } from '../shared/metering.ts';
import { forget, registeredIds } from '../shared/registrations.ts';
import { MeteringThread } from './metering-thread.ts';
import { lockNames, takeLock, type ProcessLock } from './process-lock.ts';

/**
 * The embedded store of a data directory, which several processes may open; creates both if missing.
 *
 * @throws DragomanError `unwritable_output` if the directory is unusable, `configuration` if a newer version of this
 * program wrote it
 */
export async function openSqliteStore(directory: string, options: DatabaseOptions = {}): Promise<Store> {
  const database = await openDatabase(directory, options);
  return {
    accounts: accountStore(database),
    resources: resourceStore(database),
    redeliver: (jobId, now) => redeliver(database, jobId, now),
    warnings: () => Promise.resolve([]),
    hasDelivery: async (jobId) => (await deliveryOf(database.sql, jobId)) !== undefined,
    register: (instance) => registerInstance(database, { ...options, directory }, instance),
    close: () => database.close(),
  };
}

/** The contents of a data directory: the database, and the job files below `jobs/`. Creates both if missing. */
export async function openSqliteContents(directory: string): Promise<StoreContents> {
  const database = await openDatabase(directory);
  const files = filesIn(directory);
  return {
    async hold(work) {
      await reap(database, join(directory, 'instances'), undefined);
      // Write transactions run one at a time. This one may take a long time, because no other work of this process
      // waits for it.
      return database.write(async (sql) => {
        await requireAlone(sql, directory);
        return work({ sql, ...files, continueNumbers: () => Promise.resolve() });
      });
    },
    close: () => database.close(),
  };
}

function filesIn(directory: string): Pick<HeldStore, 'read' | 'write'> {
  const pathOf = (jobId: string, fileId: string): string => join(directory, 'jobs', jobId, fileId);
  return {
    async read(jobId, fileId) {
      const path = pathOf(jobId, fileId);
      try {
        return (await open(path)).createReadStream();
      } catch (error) {
        throw systemError(
          'integrity',
          `read ${path}, which a job names`,
          error,
          'Restore it from a backup, or delete the job with dragoman jobs delete.',
        );
      }
    },
    async write(jobId, fileId, content) {
      const path = pathOf(jobId, fileId);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeAtomically(path, content);
      await syncPath(dirname(path));
      await syncPath(join(directory, 'jobs'));
    },
  };
}

/**
 * Registers a process on the store of a data directory, after releasing dead ones. The holdings of a killed process are
 * never lost: the next process to start, or to reap, releases them.
 *
 * All lock operations run in a write transaction, and the database allows one at a time: no process can take
 * the lock of another that is registering, or remove the file of one that has just taken it.
 */
async function registerInstance(
  database: SqliteDatabase,
  { directory, busyMs }: DatabaseOptions & { readonly directory: string },
  { rates, others }: InstanceOptions = {},
): Promise<Instance> {
  const locks = join(directory, 'instances');
  await reap(database, locks, undefined);
  const id = randomUUID();
  const lock = await register(database, locks, id);
  const windowMs = rates && rates.limit > 0 ? rates.windowMs : undefined;
  const thread = new MeteringThread(
    { file: join(directory, DATABASE_FILE), busyMs, instanceId: id, windowMs },
    { now: Date.now, windowNow: rates?.now ?? Date.now },
  );
  database.onAnnounced((news) => others?.announce(news));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await thread.close();
    // Releases the lock last, because a process without a lock counts as dead.
    await database.write((sql) => forget(sql, database.coordination, id), { durable: false });
    lock.release();
  };
  return {
    id,
    metering: meteringOf(thread, rates),
    now: Date.now,
    // Processes poll, in case they are not notified.
    onNews: (listener) => others?.onNews(listener),
    jobs: jobStore(database, () => id),
    deliveries: deliveryStore(database, () => id),
    registered: () => registeredIds(database.sql),
    reap: () => reap(database, locks, id),
    ready: () => thread.probe(),
    close: () => (closing ??= close()),
  };
}

async function register(database: Database, locks: string, id: string): Promise<ProcessLock> {
  let lock: ProcessLock | undefined;
  try {
    return await database.write(
      async (sql) => {
        lock = takeLock(locks, id);
        if (!lock) throw new Error('the lock of a new instance is taken');
        await sql.insertInto('instances').values({ id, started_at: Date.now() }).execute();
        return lock;
      },
      // The write is not durable, because a power cut also ends the process, and its row is removed.
      { durable: false },
    );
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Releases the holdings of registered processes that died; returns their ids. */
async function reap(database: Database, locks: string, own: string | undefined): Promise<readonly string[]> {
  // A file without a row comes from a process that died during registration.
  const ids = new Set([...(await registeredIds(database.sql)), ...lockNames(locks)]);
  if (own !== undefined) ids.delete(own);
  const dead: string[] = [];
  for (const id of ids) {
    const wasRegistered = await database.write((sql) => reapOne(sql, database.coordination, locks, id), {
      durable: false,
    });
    if (wasRegistered) dead.push(id);
  }
  return dead;
}

/** Returns whether the process was registered and is dead. */
async function reapOne(sql: Sql, coordination: Coordination, locks: string, id: string): Promise<boolean> {
  const lock = takeLock(locks, id);
  if (!lock) return false;
  try {
    return await forget(sql, coordination, id);
  } finally {
    // Released before the commit, because a row without a file also counts as dead.
    lock.release();
  }
}
