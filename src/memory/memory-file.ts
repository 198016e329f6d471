import { realpathSync } from 'node:fs';
import type Sqlite from 'libsql';
import { checkRows, type RowOf, type RowShape } from './row.ts';
import { rollBack } from './schema.ts';

type SqlParameters = readonly (string | number | null)[];

const ROWS_AT_ONCE = 100;

/**
 * The connection to a memory's file. Statements are prepared once, because the library frees them late; transactions
 * are atomic.
 */
export class MemoryFile {
  readonly path: string;
  /** The path with links resolved. */
  readonly realPath: string;
  readonly #connection: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();
  readonly #insertions = new Map<string, string>();
  readonly #forgetters: (() => void)[] = [];
  #isWritten = false;

  constructor(path: string, connection: Sqlite.Database) {
    this.path = path;
    this.realPath = realpathSync(path);
    this.#connection = connection;
  }

  /** The rows of a query as lists of columns. */
  rows<const S extends RowShape>(sql: string, shape: S, parameters: SqlParameters = []): readonly RowOf<S>[] {
    return checkRows(this.#prepare(sql).all(parameters), shape);
  }

  /** The first row of a query. */
  row<const S extends RowShape>(sql: string, shape: S, parameters: SqlParameters = []): RowOf<S> | undefined {
    const row = this.#prepare(sql).get(parameters);
    return row === undefined ? undefined : checkRows([row], shape)[0];
  }

  /** @returns the number of changed rows, and the id of an inserted row */
  run(sql: string, parameters: SqlParameters = []): { readonly changes: number; readonly id: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(parameters);
    return { changes, id: Number(lastInsertRowid) };
  }

  /** Inserts rows; `into` is the beginning of the statement, with the table and its columns. */
  insert(into: string, rows: readonly SqlParameters[]): void {
    // Inserts many rows in one call, because a call takes longer than inserting a row.
    for (let done = 0; done < rows.length;) {
      const count = rows.length - done < ROWS_AT_ONCE ? 1 : ROWS_AT_ONCE;
      this.#insertSome(into, rows.slice(done, done + count));
      done += count;
    }
  }

  /** Binds a value only once if all rows share it: most rows of a run differ in only a few columns. */
  #insertSome(into: string, rows: readonly SqlParameters[]): void {
    const [first = []] = rows;
    const isShared = first.map((value, column) => rows.every((row) => row[column] === value));
    const parameters = first.filter((_, column) => isShared[column]);
    for (const row of rows) {
      for (let column = 0; column < row.length; column++) {
        if (!isShared[column]) parameters.push(row[column] ?? null);
      }
    }
    const name = `${into} ${isShared.join()} ${rows.length}`;
    const sql = this.#insertions.get(name) ?? writeInsertion(into, isShared, rows.length);
    this.#insertions.set(name, sql);
    this.run(sql, parameters);
  }

  /** Executes statements without parameters and results. */
  execute(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Runs `work` in an exclusive transaction. */
  transaction<T>(work: () => T): T {
    this.#connection.exec('begin immediate');
    try {
      const result = work();
      this.#connection.exec('commit');
      this.#isWritten = true;
      return result;
    } catch (error) {
      rollBack(this.#connection);
      for (const forget of this.#forgetters) forget();
      throw error;
    }
  }

  /** Calls `forget` when a transaction is rolled back, because ids assigned in it are invalid. */
  onUndo(forget: () => void): void {
    this.#forgetters.push(forget);
  }

  close(): void {
    if (this.#isWritten) this.#checkpoint();
    this.#statements.clear();
    this.#connection.close();
  }

  /**
   * The library closes a file only when its statements are garbage-collected, so the log is checkpointed first. If
   * another process uses the file, that process checkpoints it later.
   */
  #checkpoint(): void {
    try {
      this.#connection.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)');
    } catch {
      // The log stays next to the file and is read from there.
    }
  }

  #prepare(sql: string): Sqlite.Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      if (statement.reader) statement.raw();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** The statement that inserts this number of rows, with shared columns' parameters before those of each row. */
function writeInsertion(into: string, isShared: readonly boolean[], rows: number): string {
  const shared = isShared.filter(Boolean).length;
  let next = shared;
  const values = Array.from({ length: rows }, () => {
    let sharedBefore = 0;
    return `(${isShared.map((is) => `?${is ? ++sharedBefore : ++next}`).join()})`;
  });
  return `${into} values ${values.join()}`;
}
