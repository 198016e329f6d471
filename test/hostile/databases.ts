import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import Sqlite from 'libsql';

/** A translation memory that somebody else has prepared. */
export interface HostileDatabase {
  readonly name: string;
  /** Changes the file of a closed memory that the program created. */
  readonly prepare: (file: string) => void;
  /** Words that a refusal must contain. */
  readonly refusal: RegExp;
}

/** A query that never ends. */
const ENDLESS = 'with recursive r(x) as (select 1 union all select x + 1 from r) select count(*) from r';

function execute(file: string, sql: string): void {
  const connection = new Sqlite(file);
  connection.exec(sql);
  connection.exec('pragma wal_checkpoint(truncate)');
  connection.close();
}

function withSql(name: string, sql: string, refusal: RegExp): HostileDatabase {
  return { name, prepare: (file) => execute(file, sql), refusal };
}

/** The statement of a table, changed in place: SQLite uses it from the next connection on. */
function withStatement(name: string, from: string, to: string): HostileDatabase {
  return withSql(
    name,
    `pragma writable_schema = on;
     update sqlite_master set sql = replace(sql, '${from}', '${to}') where name = 'engines';
     pragma writable_schema = off;`,
    /different table engines|damaged/,
  );
}

const TRIGGERS = ['insert', 'update', 'delete'].map((event) =>
  withSql(
    `a trigger that runs for ever after each ${event}`,
    `create trigger t after ${event} on translations begin
       insert into engines (name) select * from (${ENDLESS}); end;`,
    /trigger t/,
  ),
);

/** Databases that must be refused, and stay unchanged. */
export const HOSTILE_DATABASES: readonly HostileDatabase[] = [
  ...TRIGGERS,
  withSql(
    'a view with the name of a table',
    `drop table engines; create view engines as select x as id, 'a' as name from (${ENDLESS.replace('count(*)', 'x')})`,
    /view engines/,
  ),
  withSql(
    'a view that can be written to',
    `drop table terms; create view terms as select 1 as id, '' as source, '' as key;
     create trigger t instead of insert on terms begin insert into engines (name) select * from (${ENDLESS}); end;`,
    /trigger t|view terms/,
  ),
  withSql('a view of its own', `create view v as ${ENDLESS}`, /view v/),
  withSql('a table of its own', 'create table t (x)', /table t/),
  withSql('a virtual table', 'create virtual table t using fts5(x)', /table t/),
  withSql(
    'a virtual table with the name of one',
    'drop table engines; create virtual table engines using fts5(id, name)',
    /table engines/,
  ),
  withSql(
    'an index on an expression',
    `create index i on engines (length(replace(hex(zeroblob(9)), '0', name)))`,
    /index i/,
  ),
  withSql(
    'a partial index',
    `create index i on engines (name) where length(hex(zeroblob(9))) > 1`,
    /index i/,
  ),
  withSql(
    'another index with the name of one',
    'drop index messages_by_hash; create index messages_by_hash on messages (source)',
    /different index messages_by_hash/,
  ),
  withSql(
    'a column that is computed',
    'alter table engines add column x text as (hex(zeroblob(9)))',
    /different table engines/,
  ),
  withSql('a table that is missing', 'drop table similar', /lacks the table similar/),
  withSql('an earlier version in its header', 'pragma user_version = 1', /which dragoman does not create/),
  withSql('version 0 in its header', 'pragma user_version = 0', /which dragoman does not create/),
  withStatement(
    'a constraint that computes',
    'name text not null',
    'name text not null check (length(hex(zeroblob(9))) > 1)',
  ),
  withStatement(
    'a default that computes',
    'name text not null',
    'name text not null default (hex(zeroblob(9)))',
  ),
  withStatement('another order of texts', 'name text not null', 'name text collate nocase not null'),
  withStatement(
    'what happens in a conflict',
    'name text not null unique',
    'name text not null unique on conflict replace',
  ),
  withStatement(
    'a reference',
    'name text not null',
    'name text not null references messages on delete cascade',
  ),
  {
    name: 'a trigger in the log beside it',
    prepare(file) {
      const connection = new Sqlite(file);
      connection.exec(`create trigger t after insert on translations begin select 1; end`);
      const [database, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
      connection.close();
      writeFileSync(file, database);
      writeFileSync(`${file}-wal`, log);
    },
    refusal: /trigger t/,
  },
  {
    name: 'a trigger in the journal beside it',
    prepare(file) {
      const clean = `${file}.clean`;
      leaveLog(file);
      copyFileSync(file, clean);
      execute(file, 'create trigger t after insert on translations begin select 1; end');
      writeFileSync(`${file}-journal`, journalOf(readFileSync(file)));
      copyFileSync(clean, file);
    },
    refusal: /trigger t/,
  },
];

/**
 * Turns a memory into a database with a journal, through its header: SQLite itself would wait until no connection is
 * left.
 */
export function leaveLog(file: string): void {
  const database = readFileSync(file);
  database.fill(1, 18, 20);
  writeFileSync(file, database);
}

const PAGE = 4_096;
const SECTOR = 512;
const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');

/**
 * The journal of a transaction to roll back: SQLite writes these pages into the database when it opens it.
 * @param other the file that the journal names, and that SQLite then deletes
 */
export function journalOf(database: Buffer, other?: string): Buffer {
  const pages = database.length / PAGE;
  const head = Buffer.alloc(SECTOR);
  MAGIC.copy(head);
  for (const [i, number] of [pages, 0, pages, SECTOR, PAGE].entries()) head.writeUInt32BE(number, 8 + 4 * i);
  const records = Array.from({ length: pages }, (_, i) => {
    const page = database.subarray(i * PAGE, (i + 1) * PAGE);
    let sum = 0;
    for (let at = PAGE - 200; at > 0; at -= 200) sum += page[at] ?? 0;
    return Buffer.concat([number(i + 1), page, number(sum)]);
  });
  if (other === undefined) return Buffer.concat([head, ...records]);
  const name = Buffer.from(other);
  const sum = name.reduce((all, byte) => (all + ((byte << 24) >> 24)) >>> 0, 0);
  const pageOfLock = 0x4000_0000 / PAGE + 1;
  return Buffer.concat([head, ...records, number(pageOfLock), name, number(name.length), number(sum), MAGIC]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const LEVELS = 14;

/**
 * Creates a memory whose translations take longer to count than the age of the universe: each page of an index leads to
 * the next one 200 times. SQLite finds nothing wrong with it, and no signal stops the count.
 */
export function makeEndless(file: string): void {
  leaveLog(file);
  const connection = new Sqlite(file);
  const row: unknown = connection
    .prepare("select rootpage from sqlite_master where name = 'translations_by_rank'")
    .raw()
    .get();
  const counted: unknown = connection
    .prepare("select rootpage from sqlite_master where name = 'translations'")
    .raw()
    .get();
  connection.close();
  const database = readFileSync(file);
  const first = database.length / PAGE + 1;
  const interior = (next: number): Buffer => {
    const page = Buffer.alloc(PAGE);
    const cells = 200;
    page[0] = 2;
    page.writeUInt16BE(cells, 3);
    page.writeUInt16BE(PAGE - cells * 8, 5);
    page.writeUInt32BE(next, 8);
    for (let i = 0; i < cells; i++) {
      const at = PAGE - (i + 1) * 8;
      page.writeUInt16BE(at, 12 + 2 * i);
      page.writeUInt32BE(next, at);
      // A record of three bytes: the length of its header, and two null columns.
      page.set([3, 3, 0, 0], at + 4);
    }
    return page;
  };
  const leaf = Buffer.alloc(PAGE);
  leaf[0] = 10;
  leaf.writeUInt16BE(1, 3);
  leaf.writeUInt16BE(PAGE - 8, 5);
  leaf.writeUInt16BE(PAGE - 8, 8);
  leaf.set([3, 3, 0, 0], PAGE - 8);
  const added = Array.from({ length: LEVELS }, (_, i) => (i === LEVELS - 1 ? leaf : interior(first + i + 1)));
  for (const found of [row, counted]) {
    const root = Number(Array.isArray(found) ? found[0] : 0);
    interior(first).copy(database, (root - 1) * PAGE);
  }
  database.writeUInt32BE(first - 1 + LEVELS, 28);
  writeFileSync(file, Buffer.concat([database, ...added]));
}
