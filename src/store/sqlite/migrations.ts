import { sql, type Kysely } from 'kysely';
import { DragomanError } from '../../base/errors.ts';
import type { Schema } from '../shared/schema.ts';
import {
  addBounds,
  addGlossaries,
  addMemories,
  addStarts,
  addTurns,
  createTables,
  dropLedgerIndex,
} from '../shared/tables.ts';
import { rollBack } from './write-queue.ts';

/** In their order, for ever: a store remembers how many of them it has had. */
const MIGRATIONS: readonly ((sql: Kysely<Schema>) => Promise<void>)[] = [
  (kysely) => createTables(kysely, (column) => column.autoIncrement()),
  addBounds,
  (kysely) => addTurns(kysely, (column) => column.autoIncrement()),
  addStarts,
  addGlossaries,
  addMemories,
  dropLedgerIndex,
];

/**
 * Brings the tables to this version of the program, each step wholly or not at all, also when several processes open
 * the store at once.
 *
 * @throws DragomanError `configuration` when the store is of a newer version.
 */
export async function migrate(kysely: Kysely<Schema>): Promise<void> {
  if ((await versionOf(kysely)) === MIGRATIONS.length) return;
  await kysely.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      // Another process may have done it while this one waited.
      const version = await versionOf(connection);
      if (version > MIGRATIONS.length) throw newerStore();
      for (const step of MIGRATIONS.slice(version)) await step(connection);
      await sql`pragma user_version = ${sql.lit(MIGRATIONS.length)}`.execute(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      await rollBack(connection);
      throw error;
    }
  });
}

async function versionOf(kysely: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(kysely);
  return rows[0]?.user_version ?? 0;
}

function newerStore(): DragomanError {
  return new DragomanError('configuration', 'a newer version of dragoman has written this data directory', {
    hint: 'Update dragoman, or choose another directory with --data-dir.',
  });
}
