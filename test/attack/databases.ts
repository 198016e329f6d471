import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { SPECIAL_FILES } from '../git/hostile-checkouts.ts';
import { HOSTILE_DATABASES, journalOf, leaveLog } from '../hostile/databases.ts';
import { forEach, snapshot } from './room.ts';
import type { AttackRow, Trial } from './row.ts';

/** A malicious translation memory that came with a checkout. */

const PAIR = ['-s', 'en', '-t', 'fr'];
const FILES = {
  '.git/HEAD': '',
  'en.json': '{"a": "Hello", "b": "Open"}',
  'dragoman.config.yaml': 'source: en\ntargets: [fr]\nmemory: m.db\n',
};

/** Answers each text with `fr`, so that there is something to store. */
const ENGINE = `require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
  const {id, texts} = JSON.parse(line); console.log(JSON.stringify({id, translations: texts.map((t) => t + ' fr')}));
});`;

const ENDLESS = 'with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c';

/** An attacker's additions to a valid memory. `TABLE` is replaced by each of its tables. */
const SCHEMAS: Readonly<Record<string, string>> = {
  'a trigger that hangs': `create trigger evil before insert on TABLE begin select (${ENDLESS}); end`,
  'a trigger that deletes': 'create trigger evil after insert on TABLE begin delete from TABLE; end',
  'a trigger that refuses':
    "create trigger evil before insert on TABLE begin select raise(abort, 'evil'); end",
  'a view that hangs': `create view evil as ${ENDLESS}`,
  'an additional table': 'create table evil (a)',
  'a virtual table': 'create virtual table evil using fts5(a)',
  'an index with an expression': 'create index evil on TABLE (length(COLUMN))',
};

function memoryOf({ room }: Trial, cwd: string): readonly string[] {
  const home = room.checkout({ 'engine.cjs': ENGINE });
  return [
    'sync',
    ...PAIR,
    '--engine',
    'exec',
    '--engine-command',
    `"${process.execPath}" "${join(home, 'engine.cjs')}"`,
    '--memory',
    join(cwd, 'm.db'),
  ];
}

export const databaseRows: readonly AttackRow[] = [
  {
    attack: `a memory in the checkout with an attacker's triggers, views and tables, ${Object.keys(SCHEMAS).length} kinds`,
    expected: 'it is reported, and neither used nor changed',
    async run(trial) {
      const { room } = trial;
      const sound = room.checkout(FILES);
      const made = await room.run(memoryOf(trial, sound), { cwd: sound, env: { DRAGOMAN_MEMORY: '' } });
      trial.equals('the exit code of a sound memory', made.code, 0);
      const bytes = readFileSync(join(sound, 'm.db'));
      await forEach(Object.entries(SCHEMAS), async ([what, statement]) => {
        const cwd = room.checkout({ ...FILES, 'm.db': bytes });
        const database = new Sqlite(join(cwd, 'm.db'));
        const tables = database
          .prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'")
          .all() as { name: string }[];
        // Excludes tables that SQLite or its search creates for itself.
        const own = tables.filter(({ name }) => !/^sqlite_|_(?:data|idx|content|docsize|config)$/.test(name));
        for (const [i, { name }] of (statement.includes('TABLE') ? own : own.slice(0, 1)).entries()) {
          const [column] = database.prepare(`pragma table_info("${name}")`).all() as { name: string }[];
          const named = statement.replaceAll('TABLE', `"${name}"`).replaceAll('COLUMN', `"${column?.name}"`);
          database.exec(named.replace('evil', `evil${i}`));
        }
        database.exec('pragma journal_mode = delete');
        database.close();
        const before = readFileSync(join(cwd, 'm.db'));
        const argv = memoryOf(trial, cwd);
        const run = await room.run(argv, { cwd, env: { DRAGOMAN_MEMORY: '' }, timeoutMs: 12_000 });
        trial.holds(`sync with ${what} ends in time`, run.code === 0 || run.code === 2, run);
        trial.matches(`the message with ${what}`, run.stderr, /m\.db/);
        trial.holds(`the file with ${what} is unchanged`, readFileSync(join(cwd, 'm.db')).equals(before));
      });
      return `${Object.keys(SCHEMAS).length} databases`;
    },
  },
  {
    attack:
      'journals and logs beside a memory in the checkout: triggers, names of other files, links, FIFOs, garbage',
    expected: 'nothing in them is run, no other file is changed or deleted, and the command does not hang',
    async run(trial) {
      const { room } = trial;
      const sound = room.checkout(FILES);
      await room.run(memoryOf(trial, sound), { cwd: sound, env: { DRAGOMAN_MEMORY: '' } });
      const bytes = readFileSync(join(sound, 'm.db'));
      const outside = room.checkout({ victim: 'outside' });
      const kinds = Object.entries(besideMemory(join(outside, 'victim')));
      await forEach(kinds, async ([what, { prepare, refusal }]) => {
        const cwd = room.checkout({ ...FILES, 'm.db': bytes });
        prepare(join(cwd, 'm.db'));
        for (const argv of [memoryOf(trial, cwd), ['memory', 'stats', '--memory', 'm.db']]) {
          const run = await room.run(argv, { cwd, env: { DRAGOMAN_MEMORY: '' }, timeoutMs: 15_000 });
          trial.holds(`${argv[0]} with ${what} ends`, run.code !== null && !run.hung, run);
          trial.lacks(`the message with ${what}`, run.stderr, /\n\s+at |defect/);
          if (refusal) trial.matches(`the message with ${what}`, run.stderr, refusal);
        }
      });
      trial.equals('the directory outside the project', snapshot(outside), { victim: 'outside' });
      return `${kinds.length} kinds, 2 commands each`;
    },
  },
  {
    attack:
      'a memory that is not a database, is truncated, has damaged pages, comes from a newer version, or is a link that leads outside',
    expected: 'exit code 2 or a run without the memory; no stack trace, no hang',
    async run(trial) {
      const { room } = trial;
      const sound = room.checkout(FILES);
      await room.run(memoryOf(trial, sound), { cwd: sound, env: { DRAGOMAN_MEMORY: '' } });
      const bytes = existsSync(join(sound, 'm.db')) ? readFileSync(join(sound, 'm.db')) : Buffer.alloc(0);
      trial.holds('a memory was created', bytes.length > 4_096, bytes.length);
      const damaged = Buffer.from(bytes);
      for (let i = 4_096; i < damaged.length; i += 97) damaged[i] = 0xff;
      const contents: Readonly<Record<string, Buffer>> = {
        'not a database': Buffer.from('hello'),
        'a header alone': Buffer.from('SQLite format 3\0'),
        'half of a database': bytes.subarray(0, bytes.length >> 1),
        'damaged pages': damaged,
        zeros: Buffer.alloc(100_000),
      };
      for (const [what, content] of Object.entries(contents)) {
        const cwd = room.checkout(FILES);
        writeFileSync(join(cwd, 'm.db'), content);
        for (const argv of [
          ['sync', ...PAIR, '--engine', 'pseudo'],
          ['memory', 'stats', '--memory', 'm.db'],
          ['memory', 'export', '-', '--memory', 'm.db'],
        ]) {
          const run = await room.run(argv, { cwd, env: { DRAGOMAN_MEMORY: '' }, timeoutMs: 15_000 });
          trial.holds(`${argv[0]} ${argv[1]} with ${what} ends`, run.code !== null, run);
          trial.lacks(`the message with ${what}`, run.stderr, /\n\s+at |defect/);
        }
      }
      return `${Object.keys(contents).length} files`;
    },
  },
];

interface Beside {
  /** Creates a file next to the memory. */
  readonly prepare: (file: string) => void;
  readonly refusal?: RegExp;
}

/** @param victim a file that must stay unchanged */
function besideMemory(victim: string): Readonly<Record<string, Beside>> {
  const kinds: Record<string, Beside> = {
    'a journal that names another file': {
      prepare(file) {
        leaveLog(file);
        writeFileSync(`${file}-journal`, journalOf(readFileSync(file), victim));
      },
      refusal: /names another file/,
    },
  };
  for (const { name, prepare, refusal } of HOSTILE_DATABASES)
    if (name.includes('beside it')) kinds[name] = { prepare, refusal };
  for (const suffix of ['journal', 'wal', 'shm']) {
    for (const [kind, make] of Object.entries(SPECIAL_FILES))
      kinds[`a ${kind} as ${suffix}`] = { prepare: (file) => make(`${file}-${suffix}`) };
    kinds[`a link as ${suffix}`] = { prepare: (file) => symlinkSync(victim, `${file}-${suffix}`) };
    const garbage = Buffer.alloc(100_000, 'd9d505f920a163d7377f0682', 'hex');
    kinds[`garbage as ${suffix}`] = { prepare: (file) => writeFileSync(`${file}-${suffix}`, garbage) };
  }
  return kinds;
}
