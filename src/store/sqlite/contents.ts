import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath, writeAtomically } from '../../base/atomic-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { requireAlone, type HeldStore, type StoreContents } from '../shared/contents.ts';
import { openDatabase } from './database.ts';
import { reap } from './instance.ts';

/** The contents of a data directory: the database, and the files of jobs below `jobs/`. Makes both where they are missing. */
export async function openSqliteContents(directory: string): Promise<StoreContents> {
  const database = await openDatabase(directory);
  const files = filesIn(directory);
  return {
    async hold(work) {
      await reap(database, join(directory, 'instances'), undefined);
      // A process registers in a write transaction, of which there is one at a time. Nothing else of this process waits
      // for the next one, so that this one may take its time.
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
