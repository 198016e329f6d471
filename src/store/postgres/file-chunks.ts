import { createReadStream } from 'node:fs';
import { sql } from 'kysely';
import { DragomanError } from '../../base/errors.ts';
import type { Database, Sql } from '../shared/database.ts';
import { SOURCE_FILE, type StoredFiles } from '../store.ts';
import { DATABASE_NOW } from './metering.ts';

/** Each open file takes twice this in memory, because the driver sends bytes as hexadecimal digits. */
const CHUNK_BYTES = 256 * 1024;

/** Whether a file belongs to an existing job and, if it is a translation, to one of its units. */
const IS_NAMED = sql.raw(`exists (select from jobs where jobs.id = file_chunks.job_id) and (
  file_id = '${SOURCE_FILE}' or exists (
    select from job_units where job_units.job_id = file_chunks.job_id and job_units.file_id = file_chunks.file_id))`);

/** Files as rows of chunks, so that they are in the database backup and available on every machine. */
export function fileChunks(database: Database): StoredFiles {
  return {
    write: (jobId, fileId, path) =>
      database.write((transaction) =>
        writeChunks(transaction, jobId, fileId, createReadStream(path, { highWaterMark: CHUNK_BYTES })),
      ),

    read: (jobId, fileId) => readFile(database.sql, jobId, fileId),

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

/** Writes each piece as a chunk. */
export async function writeChunks(
  transaction: Sql,
  jobId: string,
  fileId: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  let n = 0;
  const write = (content: Uint8Array): Promise<unknown> =>
    // The row already exists if the answer to its commit was lost.
    sql`
      insert into file_chunks (job_id, file_id, n, written_at, content)
      values (${jobId}, ${fileId}, ${n++}, ${sql.raw(DATABASE_NOW)}, ${Buffer.from(content.buffer, content.byteOffset, content.length)})
      on conflict do nothing`.execute(transaction);
  for await (const piece of pieces) await write(piece);
  // An empty file needs a chunk too.
  if (n === 0) await write(new Uint8Array());
}

/** @throws DragomanError `not_found` */
export async function readFile(
  kysely: Sql,
  jobId: string,
  fileId: string,
): Promise<AsyncGenerator<Uint8Array>> {
  const { rows } = await sql<{ chunks: number }>`
    select count(*) as chunks from file_chunks where job_id = ${jobId} and file_id = ${fileId}`.execute(
    kysely,
  );
  const chunks = rows[0]?.chunks ?? 0;
  if (chunks === 0) throw missing();
  return readChunks(kysely, jobId, fileId, chunks);
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
