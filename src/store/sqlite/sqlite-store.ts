import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath, writeAtomically } from '../../base/atomic-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { accountStore } from '../shared/accounts.ts';
import { type HeldStore, requireAlone, type StoreContents } from '../shared/contents.ts';
import { deliveryOf, redeliver } from '../shared/deliveries.ts';
import { resourceStore } from '../shared/resources.ts';
import type { Store } from '../store.ts';
import { type DatabaseOptions, openDatabase } from './database.ts';
import { reap, registerInstance } from './instance.ts';

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

/** The contents of a data directory: the database, and the files of jobs below `jobs/`. Creates both if missing. */
export async function openSqliteContents(directory: string): Promise<StoreContents> {
  const database = await openDatabase(directory);
  const files = filesIn(directory);
  return {
    async hold(work) {
      await reap(database, join(directory, 'instances'), undefined);
      // Registration runs in a write transaction, of which there is one at a time. It may take long, because nothing
      // else of this process waits for the next one.
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
        throw new DragomanError('integrity', `cannot read ${path}, which a job names: ${reasonOf(error)}`, {
          hint: 'Restore it from a backup, or delete the job with dragoman jobs delete.',
          cause: error,
        });
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
