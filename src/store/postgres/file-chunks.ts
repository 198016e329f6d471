import { open } from 'node:fs/promises';
import { sql } from 'kysely';
import { DragomanError } from '../../base/errors.ts';
import type { Database, Sql } from '../shared/database.ts';
import { SOURCE_FILE, type StoredFiles } from '../store.ts';
import { DATABASE_NOW } from './metering.ts';

/** Twice that is in memory for each file that is written or read: the driver sends bytes as hexadecimal digits. */
const CHUNK_BYTES = 256 * 1024;

/** Whether a file belongs to a job that is there, and to a unit of it, where it is a translation. */
const IS_NAMED = sql.raw(`exists (select from jobs where jobs.id = file_chunks.job_id) and (
  file_id = '${SOURCE_FILE}' or exists (
    select from job_units where job_units.job_id = file_chunks.job_id and job_units.file_id = file_chunks.file_id))`);

/** Files as rows of chunks: in the same backup as all else, and on every machine. */
export function fileChunks(database: Database): StoredFiles {
  return {
    write: (jobId, fileId, path) =>
      database.write((transaction) => writeChunks(transaction, jobId, fileId, path)),

    async read(jobId, fileId) {
      const { rows } = await sql<{ chunks: number }>`
        select count(*) as chunks from file_chunks where job_id = ${jobId} and file_id = ${fileId}`.execute(
        database.sql,
      );
      const chunks = rows[0]?.chunks ?? 0;
      if (chunks === 0) throw missing();
      return readChunks(database.sql, jobId, fileId, chunks);
    },

    async remove(jobId) {
      await database.write((transaction) =>
        sql`
          delete from file_chunks
          where job_id = ${jobId} and not exists (select from jobs where id = ${jobId})`.execute(transaction),
      );
    },

    async removeFile(jobId, fileId) {
      await database.write((transaction) =>
        sql`delete from file_chunks where job_id = ${jobId} and file_id = ${fileId} and not (${IS_NAMED})`.execute(
          transaction,
        ),
      );
    },

    async sweep(olderThanMs) {
      await database.write((transaction) =>
        sql`
          delete from file_chunks
          where written_at < ${sql.raw(DATABASE_NOW)} - ${olderThanMs}::bigint and not (${IS_NAMED})`.execute(
          transaction,
        ),
      );
    },
  };
}

async function writeChunks(transaction: Sql, jobId: string, fileId: string, path: string): Promise<void> {
  const file = await open(path);
  try {
    let n = 0;
    let bytesRead = 0;
    // An empty file has a chunk as well.
    do {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      ({ bytesRead } = await file.read(buffer, 0, CHUNK_BYTES));
      if (bytesRead === 0 && n > 0) break;
      // Written before, where the answer to its commit was lost.
      await sql`
        insert into file_chunks (job_id, file_id, n, written_at, content)
        values (${jobId}, ${fileId}, ${n++}, ${sql.raw(DATABASE_NOW)}, ${buffer.subarray(0, bytesRead)})
        on conflict do nothing`.execute(transaction);
    } while (bytesRead > 0);
  } finally {
    await file.close();
  }
}

async function* readChunks(
  kysely: Sql,
  jobId: string,
  fileId: string,
  chunks: number,
): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < chunks; n++) {
    const { rows } = await sql<{ content: Buffer }>`
      select content from file_chunks where job_id = ${jobId} and file_id = ${fileId} and n = ${n}`.execute(
      kysely,
    );
    const [row] = rows;
    if (!row) throw missing();
    yield row.content;
  }
}

function missing(): DragomanError {
  return new DragomanError('not_found', 'there is no such file in the store');
}
