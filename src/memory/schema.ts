import Sqlite from 'libsql';
import { DragomanError } from '../base/errors.ts';
import { readSchema, requireSchema, type SchemaParts } from '../sqlite/schema.ts';
import { checkRows } from './row.ts';

/** In the file's header: marks the file as a translation memory of this program. */
const APPLICATION_ID = 0x44_52_47_4d;

/**
 * A message is stored once for all its translations, and so are its rows in the index of similar messages.
 *
 * `terms` are the keys of tokens: a term that was first seen later is usually rarer. `similar` has of each message
 * the rarest of its terms (see similar-index.ts). Messages up to the number `last` are in it, as far as they belong there;
 * those behind it when similar texts are next looked for: most runs store thousands and look for none.
 *
 * Each translation belongs to the project that it was learned from, or to all of them: `project` is 0 then.
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

/** In their order, for ever: a file remembers how many of them it has had. */
const MIGRATIONS: readonly string[] = [TABLES];

/** The number of the first of them: those before it were joined into it before the first release. */
const FIRST = 3;
const NEWEST = FIRST + MIGRATIONS.length - 1;

/**
 * Looks at a file before anything is written to it.
 *
 * @throws DragomanError `unreadable_input` when it is another program's, or not made by this one alone; `configuration`
 *   when it is of a newer version.
 */
export function checkFile(connection: Sqlite.Database): void {
  // Another process may be making the tables: all reads see one moment.
  connection.exec('savepoint looking');
  const parts = readSchema(connection);
  const version = numberOf(connection, 'pragma user_version');
  const application = numberOf(connection, 'pragma application_id');
  connection.exec('release looking');
  if (application !== APPLICATION_ID) {
    if (parts.size > 0 || version > 0) {
      throw new DragomanError('unreadable_input', 'it is the database of another program');
    }
    // Removing entries should make the file smaller. SQLite accepts this setting only for an empty file.
    connection.exec('pragma auto_vacuum = incremental');
  } else if (version > NEWEST) {
    throw new DragomanError('configuration', 'a newer version of dragoman has written it', {
      hint: 'Update dragoman, or name another file with --memory.',
    });
  } else requireSchema(parts, partsOf(version));
}

/** What a file of a version is made of. */
function partsOf(version: number): SchemaParts {
  const made = new Sqlite(':memory:');
  try {
    for (const step of MIGRATIONS.slice(0, Math.max(0, version - FIRST + 1))) made.exec(step);
    return readSchema(made);
  } finally {
    made.close();
  }
}

/** Brings the tables to this version of the program, wholly or not at all, also when several processes open the file. */
export function migrate(connection: Sqlite.Database): void {
  if (numberOf(connection, 'pragma user_version') === NEWEST) return;
  connection.exec('begin immediate');
  try {
    // Another process may have done it while this one waited.
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

/** Where the disk is full or fails, SQLite has ended the transaction itself: the reason must not be lost over that. */
export function rollBack(connection: Sqlite.Database): void {
  try {
    connection.exec('rollback');
  } catch {
    // It has ended.
  }
}

function numberOf(connection: Sqlite.Database, sql: string): number {
  const row: unknown = connection.prepare(sql).raw().get();
  return checkRows([row], ['number'])[0]?.[0] ?? 0;
}
