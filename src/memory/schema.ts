import Sqlite from 'libsql';
import { DragomanError } from '../base/errors.ts';
import { readSchema, requireSchema, type SchemaParts } from '../sqlite/schema.ts';
import { checkRows } from './row.ts';

/** In the file's header: identifies the file as a translation memory of this program. */
const APPLICATION_ID = 0x44_52_47_4d;

/**
 * A message and its rows in the index of similar messages are stored once for all its translations.
 *
 * `terms` are the keys of tokens: a term first seen later is usually rarer. `similar` has the rarest terms of each
 * message (see similar-index.ts). It contains the qualifying messages up to the number `last`; later ones are added at
 * the next search for similar texts, because most runs store thousands and search for none.
 *
 * Each translation belongs to the project from which it was learned, or to all (`project` is 0).
 */
const TABLES = `
  create table pairs (
    id integer primary key,
    source text not null,
    target text not null,
    unique (source, target)
  );
  create table engines (
    id integer primary key,
    name text not null unique
  );
  create table messages (
    id integer primary key,
    hash integer not null,
    source text not null,
    segments text not null,
    placeholders text not null,
    category text not null
  );
  create index messages_by_hash on messages (hash);
  create table projects (
    id integer primary key,
    name text not null unique
  );
  create table "translations" (
    message integer not null,
    pair integer not null,
    project integer not null default 0,
    context text not null,
    segments text not null,
    is_human integer not null,
    engine integer,
    changed integer not null,
    used integer not null,
    primary key (message, pair, project, context)
  ) without rowid;
  create index translations_by_rank
    on translations (message, pair, project, is_human desc, changed desc);
  create table terms (
    id integer primary key,
    source text not null,
    key text not null,
    unique (source, key)
  );
  create table similar (
    term integer not null,
    weight integer not null,
    message integer not null,
    bits integer not null,
    primary key (term, weight, message)
  ) without rowid;
  create table indexed (last integer not null);
  insert into indexed values (0);
`;

/** The list is never reordered: a file records how many of them were applied. */
const MIGRATIONS: readonly string[] = [TABLES];

/** The number of the first migration: earlier ones were merged into it before the first release. */
const FIRST = 3;
const NEWEST = FIRST + MIGRATIONS.length - 1;

/**
 * Checks a file before anything is written to it.
 *
 * @throws DragomanError `unreadable_input` if another program made or changed it; `configuration` if it has a newer
 * version
 */
export function checkFile(connection: Sqlite.Database): void {
  // Another process may be creating the tables, so all reads must see one state.
  connection.exec('savepoint looking');
  const parts = readSchema(connection);
  const version = numberOf(connection, 'pragma user_version');
  const application = numberOf(connection, 'pragma application_id');
  connection.exec('release looking');
  if (application !== APPLICATION_ID) {
    if (parts.size > 0 || version > 0) {
      throw new DragomanError('unreadable_input', 'it is a database of another program');
    }
    // Lets removed entries shrink the file. SQLite accepts this setting only for an empty file.
    connection.exec('pragma auto_vacuum = incremental');
  } else if (version > NEWEST) {
    throw new DragomanError('configuration', 'a newer version of dragoman wrote it', {
      hint: 'Update dragoman, or name another file with --memory.',
    });
  } else requireSchema(parts, partsOf(version));
}

/** The schema objects of a version. */
function partsOf(version: number): SchemaParts {
  const made = new Sqlite(':memory:');
  try {
    for (const step of MIGRATIONS.slice(0, Math.max(0, version - FIRST + 1))) made.exec(step);
    return readSchema(made);
  } finally {
    made.close();
  }
}

/** Upgrades the tables to this program's version in one transaction, even if several processes open the file. */
export function migrate(connection: Sqlite.Database): void {
  if (numberOf(connection, 'pragma user_version') === NEWEST) return;
  connection.exec('begin immediate');
  try {
    // Another process may have upgraded while this one waited.
    checkFile(connection);
    const version = numberOf(connection, 'pragma user_version');
    for (const step of MIGRATIONS.slice(Math.max(0, version - FIRST + 1))) connection.exec(step);
    connection.exec(`pragma application_id = ${APPLICATION_ID}`);
    connection.exec(`pragma user_version = ${NEWEST}`);
    connection.exec('commit');
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** If the disk is full or fails, SQLite has already rolled back, and the original error must be kept. */
export function rollBack(connection: Sqlite.Database): void {
  try {
    connection.exec('rollback');
  } catch {
    // The transaction has already ended.
  }
}

function numberOf(connection: Sqlite.Database, sql: string): number {
  const row: unknown = connection.prepare(sql).raw().get();
  return checkRows([row], ['number'])[0]?.[0] ?? 0;
}
