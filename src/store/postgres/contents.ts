import { sql } from 'kysely';
import { NUMBERED, requireAlone, TABLE_NAMES, type StoreContents } from '../shared/contents.ts';
import { Connections } from './connections.ts';
import { openDatabase } from './database.ts';
import { readFile, writeChunks } from './file-chunks.ts';
import { LIVENESS, reap } from './instance.ts';
import { requireReadable } from './migrations.ts';
import { describePlace, settingsOf, type PostgresPlace } from './place.ts';

/** The contents of a store in a PostgreSQL database, with the files of jobs as chunks. */
export async function openPostgresContents(place: PostgresPlace): Promise<StoreContents> {
  const database = openDatabase(new Connections(settingsOf(place)));
  try {
    await requireReadable(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    async hold(work) {
      await reap(database, LIVENESS, undefined);
      return database.write(
        async (transaction) => {
          // It waits for the other store of a copy.
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
          // Whoever writes waits, also a server that wants to register. Files are written by servers only.
          const tables = sql.join(TABLE_NAMES.map((name) => sql.table(name)));
          await sql`lock table ${tables} in share row exclusive mode`.execute(transaction);
          await requireAlone(transaction, describePlace(place));
          return work({
            sql: transaction,
            read: (jobId, fileId) => readFile(transaction, jobId, fileId),
            write: (jobId, fileId, content) => writeChunks(transaction, jobId, fileId, content),
            async continueNumbers() {
              for (const { name, number } of NUMBERED) {
                await sql`
                  select setval(pg_get_serial_sequence(${name}, ${number}), coalesce(max(${sql.ref(number)}), 0) + 1, false)
                  from ${sql.table(name)}`.execute(transaction);
              }
            },
          });
        },
        { once: true },
      );
    },
    close: () => database.close(),
  };
}
