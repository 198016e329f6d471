import type Sqlite from 'libsql';
import { DragomanError } from '../base/errors.ts';

/** The tables and indexes of a database by name, each with the statement that created it. */
export type SchemaParts = ReadonlyMap<string, string>;

/** Tables that SQLite creates itself: for `autoincrement`, and when someone runs `analyze`. */
const OF_SQLITE: ReadonlySet<string> = new Set([
  'CREATE TABLE sqlite_sequence(name,seq)',
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
]);

/** The maximum length of a statement, longer than any of ours. */
const LONGEST = 10_000;
/** The maximum number of tables and indexes, more than any of our databases has. */
const MOST = 1_000;

const PARTS = `select type, name, tbl_name, substr(sql, 1, ${LONGEST}) from sqlite_master limit ${MOST}`;

/** Reads the schema without executing any of it. */
export function readSchema(connection: Sqlite.Database): SchemaParts {
  const rows: readonly unknown[] = connection.prepare(PARTS).raw().all();
  return new Map(
    rows.map((row) => {
      const [type, name, table, sql] = (Array.isArray(row) ? row : []).map(String);
      return [`${type} ${name} of ${table}`, `${type} ${name}: ${plainSql(sql ?? '')}`];
    }),
  );
}

/**
 * Checks that a database has exactly this program's tables and indexes. Triggers, views, checks and computed columns
 * contain code, which in a file from a checkout may be an attacker's.
 *
 * @throws DragomanError `unreadable_input`
 */
export function requireSchema(found: SchemaParts, expected: SchemaParts): void {
  for (const [name, part] of found) {
    const [described = ''] = part.split(': ');
    if (OF_SQLITE.has(part.slice(described.length + 2))) continue;
    const known = expected.get(name);
    if (known === undefined)
      throw foreign(`contains the ${shorten(described)}, which dragoman does not create`);
    if (known !== part)
      throw foreign(`contains a different ${shorten(described)} from the one that dragoman creates`);
  }
  for (const [name, part] of expected) {
    if (!found.has(name)) throw foreign(`lacks the ${part.split(': ')[0]}`);
  }
}

function foreign(message: string): DragomanError {
  return new DragomanError('unreadable_input', `it ${message}`, {
    hint: 'If you do not know where the file comes from, delete it. Otherwise move it away; dragoman then creates a new one.',
  });
}

function shorten(name: string): string {
  return name.length <= 80 ? name : `${name.slice(0, 80)}…`;
}

/** Removes meaningless white space and quotes: our names need no quotes. */
function plainSql(sql: string): string {
  return sql
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1');
}
