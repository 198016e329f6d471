import type { Database, Sql } from './database.ts';

/** What is stored of a key that was sent. */
export interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly hash: string;
  readonly revoked_at: number | null;
}

/** SQLite and PostgreSQL allow many more parameters; a tick has seldom as many keys. */
const HASHES_PER_STATEMENT = 100;

/**
 * Reads the keys of all requests of one tick together: most of them send the same key. What is read is never older
 * than the request, because it is read after the tick.
 */
export class KeyLookup {
  readonly #database: Database;
  #hashes = new Set<string>();
  #rows: Promise<ReadonlyMap<string, KeyRow>> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(hash: string): Promise<KeyRow | undefined> {
    this.#hashes.add(hash);
    this.#rows ??= this.#read();
    return (await this.#rows).get(hash);
  }

  async #read(): Promise<ReadonlyMap<string, KeyRow>> {
    await new Promise((resolve) => setImmediate(resolve));
    const hashes = [...this.#hashes];
    this.#hashes = new Set();
    this.#rows = undefined;
    const rows = new Map<string, KeyRow>();
    for (let start = 0; start < hashes.length; start += HASHES_PER_STATEMENT) {
      const part = hashes.slice(start, start + HASHES_PER_STATEMENT);
      for (const row of await select(this.#database.sql, part)) rows.set(row.hash, row);
    }
    return rows;
  }
}

async function select(sql: Sql, hashes: readonly string[]): Promise<readonly KeyRow[]> {
  return sql
    .selectFrom('keys')
    .select(['id', 'account_id', 'hash', 'revoked_at'])
    .where('hash', 'in', hashes)
    .execute();
}
