import Sqlite from 'libsql';
import { joinSegments, MessageKey } from '../../src/memory/message-key.ts';
import type { StoredEntry } from '../../src/memory/stored-memory.ts';

/** The tables of the first version, as it made them. */
const TABLES = `
  create table pairs (id integer primary key, source text not null, target text not null, unique (source, target));
  create table engines (id integer primary key, name text not null unique);
  create table messages (
    id integer primary key, hash integer not null, source text not null, segments text not null,
    placeholders text not null, category text not null
  );
  create index messages_by_hash on messages (hash);
  create table translations (
    message integer not null, pair integer not null, context text not null, segments text not null,
    is_human integer not null, engine integer, changed integer not null, used integer not null,
    primary key (message, pair, context)
  ) without rowid;
  create index translations_by_rank on translations (message, pair, is_human desc, changed desc);
  create table terms (id integer primary key, source text not null, key text not null, unique (source, key));
  create table similar (
    term integer not null, weight integer not null, message integer not null, bits integer not null,
    primary key (term, weight, message)
  ) without rowid;
  pragma application_id = 1146242893;
  pragma user_version = 1;
`;

export type OldEntry = Pick<
  StoredEntry,
  'pair' | 'segments' | 'translations' | 'context' | 'origin' | 'changed'
> &
  Partial<StoredEntry>;

/** Writes a memory as the first version of its file had it, without what finds similar texts. */
export function writeVersion1(path: string, entries: readonly OldEntry[]): void {
  const connection = new Sqlite(path);
  connection.exec(`begin; ${TABLES}`);
  for (const entry of entries) {
    const { pair, context, origin, changed, placeholders = [], category = '', engine } = entry;
    const key = new MessageKey({ ...entry, placeholders, category }, pair.source);
    const id = (sql: string, ...parameters: (string | number)[]): unknown =>
      Object.values(connection.prepare(sql).get(parameters) ?? {})[0];
    connection
      .prepare('insert or ignore into pairs (source, target) values (?, ?)')
      .run([pair.source, pair.target]);
    if (engine !== undefined)
      connection.prepare('insert or ignore into engines (name) values (?)').run([engine]);
    const message =
      id('select id from messages where hash = ?', key.hash) ??
      connection
        .prepare(
          'insert into messages (hash, source, segments, placeholders, category) values (?, ?, ?, ?, ?)',
        )
        .run([key.hash, pair.source, key.segments, key.placeholders, key.category]).lastInsertRowid;
    connection
      .prepare('insert into translations values (?, ?, ?, ?, ?, ?, ?, ?)')
      .run([
        message,
        id('select id from pairs where source = ? and target = ?', pair.source, pair.target),
        context,
        joinSegments(entry.translations),
        origin === 'human' ? 1 : 0,
        engine === undefined ? null : id('select id from engines where name = ?', engine),
        changed.getTime(),
        (entry.used ?? changed).getTime(),
      ]);
  }
  connection.exec('commit');
  connection.close();
}
