import { sql } from 'kysely';
import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { SOURCE_FILE } from '../store.ts';
import type { Sql } from './database.ts';
import { registeredIds } from './registrations.ts';
import type { Schema } from './schema.ts';

/** A whole store. The code that opens it closes it. */
export interface StoreContents {
  /**
   * Runs `work` in a transaction that excludes all other changes: no server may run on the store or start. When it
   * resolves, all changes of `work` are committed; otherwise none are.
   *
   * @throws DragomanError `usage` if a server is running on it
   */
  hold<T>(work: (held: HeldStore) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface HeldStore {
  readonly sql: Sql;
  /** @throws DragomanError if it is missing */
  read(jobId: string, fileId: string): Promise<AsyncIterable<Uint8Array>>;
  /** The content is on disk before the transaction commits. */
  write(jobId: string, fileId: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Makes new row numbers continue after the existing ones. */
  continueNumbers(): Promise<void>;
}

/** @throws DragomanError `usage` if a server is registered */
export async function requireAlone(kysely: Sql, place: string): Promise<void> {
  if ((await registeredIds(kysely)).size === 0) return;
  throw new DragomanError('usage', `a server is using ${place}`, {
    hint: 'Stop it first. A killed server counts as stopped after a minute.',
  });
}

/** How a table is copied and checked. */
interface CopiedTable {
  /** The table's primary key. */
  readonly key: readonly string[];
  /** Columns whose sums must match after copying. */
  readonly sums: readonly string[];
  /** The column that numbers the rows. */
  readonly number?: string;
}

/** State of ended processes, which is not copied: holds are released, and windows restart. */
const OF_PROCESSES = undefined;

/** Ordered so that referenced rows are copied first. */
const TABLES: { readonly [K in keyof Schema]: CopiedTable | typeof OF_PROCESSES } = {
  accounts: {
    key: ['id'],
    sums: ['granted', 'balance', 'reserved', 'requests_successful', 'requests_failed'],
  },
  keys: { key: ['id'], sums: ['created_at', 'revoked_at', 'expires_at'] },
  account_glossaries: { key: ['account_id'], sums: [] },
  account_memories: { key: ['account_id'], sums: [] },
  memory_entries: { key: ['memory_id', 'source', 'target', 'digest'], sums: ['stored_at'] },
  ledger: { key: ['id'], sums: ['id', 'amount'], number: 'id' },
  jobs: {
    key: ['seq'],
    sums: ['seq', 'total_keys', 'translated_keys', 'failed_keys', 'reserved', 'source_bytes'],
    number: 'seq',
  },
  job_units: {
    key: ['job_id', 'language_code'],
    sums: ['job_seq', 'attempts', 'translated_keys', 'file_size'],
  },
  unit_answers: { key: ['id'], sums: ['id'], number: 'id' },
  webhook_deliveries: { key: ['id'], sums: ['attempts', 'next_attempt_at'] },
  deleted_units: OF_PROCESSES,
  holds: OF_PROCESSES,
  rate_windows: OF_PROCESSES,
  instances: OF_PROCESSES,
};

const COPIED: readonly (CopiedTable & { readonly name: string })[] = Object.entries(TABLES).flatMap(
  ([name, table]) => (table ? { name, ...table } : []),
);

/** Every table that a server writes to. */
export const TABLE_NAMES = Object.keys(TABLES);

/** Auto-numbered columns. */
export const NUMBERED = COPIED.flatMap(({ name, number }) => (number === undefined ? [] : { name, number }));

/** SQLite accepts 32,766 values per statement, and a row has at most 18. */
const ROWS = 500;

type Row = Readonly<Record<string, unknown>>;

/** The number of rows of a table, and the sums of some columns. */
export interface TableCount {
  readonly table: string;
  readonly rows: number;
  readonly sums: Readonly<Record<string, number>>;
}

/** The row counts of a store, from its database. */
export async function countRows(held: Pick<HeldStore, 'sql'>): Promise<readonly TableCount[]> {
  const counts: TableCount[] = [];
  for (const { name, sums } of COPIED) {
    const columns = sums.map((column) => sql`coalesce(sum(${sql.ref(column)}), 0) as ${sql.ref(column)}`);
    const { rows } = await sql<Row>`
      select ${sql.join([sql`count(*) as count`, ...columns])} from ${sql.table(name)}`.execute(held.sql);
    const { count, ...found } = rows[0] ?? {};
    const numbers: Record<string, number> = {};
    for (const [column, sum] of Object.entries(found)) numbers[column] = Number(sum);
    counts.push({ table: name, rows: Number(count), sums: numbers });
  }
  return counts;
}

/** Copies all rows, referenced rows first. */
export async function copyRows(from: HeldStore, to: HeldStore, signal: AbortSignal): Promise<void> {
  for (const table of COPIED) {
    for await (const rows of pagesOf(from, table)) {
      throwIfAborted(signal);
      await insertRows(to, table.name, rows);
    }
  }
  await to.continueNumbers();
}

async function* pagesOf(
  { sql: kysely }: HeldStore,
  { name, key }: { readonly name: string; readonly key: readonly string[] },
): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: Row | undefined;
  do {
    const after = last;
    const position = after && sql`where (${columns}) > (${sql.join(key.map((column) => after[column]))})`;
    const { rows } = await sql<Row>`
      select * from ${sql.table(name)} ${position ?? sql``} order by ${columns} limit ${ROWS}`.execute(
      kysely,
    );
    if (rows.length > 0) yield rows;
    last = rows.length === ROWS ? rows.at(-1) : undefined;
  } while (last);
}

async function insertRows({ sql: kysely }: HeldStore, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(kysely);
}

/** A file referenced by a row. */
export interface ExpectedFile {
  readonly jobId: string;
  readonly fileId: string;
  /** Undefined if the store does not record it. */
  readonly size: number | undefined;
}

/** Every referenced file: the source of each job, and its translations. */
export async function* namedFiles(held: HeldStore): AsyncGenerator<ExpectedFile> {
  const jobs = { name: 'jobs', key: ['seq'] };
  for await (const rows of pagesOf(held, jobs)) {
    const ids = rows.map(({ id }) => String(id));
    for (const jobId of ids) yield { jobId, fileId: SOURCE_FILE, size: undefined };
    const units = await held.sql
      .selectFrom('job_units')
      .select(['job_id', 'file_id', 'file_size'])
      .where('job_id', 'in', ids)
      .where('file_id', 'is not', null)
      .execute();
    for (const { job_id: jobId, file_id: fileId, file_size: size } of units)
      if (fileId !== null) yield { jobId, fileId, size: size ?? undefined };
  }
}
