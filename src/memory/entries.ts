import { stat } from 'node:fs/promises';
import type { MemoryIds } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import { splitPlaceholders, splitSegments } from './message-key.ts';
import { SHARED } from './found.ts';
import type { RowOf } from './row.ts';
import type { EntryChoice, StoredEntry, MemoryStats, PairStats } from './stored-memory.ts';

const AT_ONCE = 1_000;

const ENTRY_SHAPE = [
  ...(['number', 'number', 'number', 'text'] as const),
  ...(['text', 'number', 'text or null', 'number', 'number'] as const),
  ...(['text', 'text', 'text', 'text', 'text'] as const),
] as const;

type EntryRow = RowOf<typeof ENTRY_SHAPE>;

/** The position of an entry's row. */
export type EntryPlace = readonly [message: number, pair: number, project: number, context: string];

export const BEFORE_ALL: EntryPlace = [0, 0, 0, ''];

export interface EntryPage {
  readonly entries: readonly StoredEntry[];
  /** The last entry's position, after which the next page begins; undefined on the last page. */
  readonly last: EntryPlace | undefined;
}

/** Returns the page of entries that follows the previous page's last row. */
export function readEntries(
  file: MemoryFile,
  ids: MemoryIds,
  choice: EntryChoice,
  after: EntryPlace,
): EntryPage {
  const { sql, parameters } = conditionOf(choice, ids);
  const rows = file.rows(
    `select t.message, t.pair, t.project, t.context, t.segments, t.is_human, e.name, t.changed, t.used, p.source, p.target,
       m.segments, m.placeholders, m.category
     from translations as t
     join messages as m on m.id = t.message
     join pairs as p on p.id = t.pair
     left join engines as e on e.id = t.engine
     where (t.message, t.pair, t.project, t.context) > (?, ?, ?, ?) and ${sql}
     order by t.message, t.pair, t.project, t.context limit ${AT_ONCE}`,
    ENTRY_SHAPE,
    [...after, ...parameters],
  );
  const roots = ids.projectRoots();
  const last = rows.at(-1);
  return {
    entries: rows.map((row) => entryOf(row, roots)),
    last: last && [last[0], last[1], last[2], last[3]],
  };
}

function entryOf(row: EntryRow, roots: ReadonlyMap<number, string>): StoredEntry {
  const [, , project, context, translation, isHuman, engine, changed, used, source, target] = row;
  const [, , , , , , , , , , , segments, placeholders, category] = row;
  return {
    pair: { source, target },
    segments: splitSegments(segments),
    placeholders: splitPlaceholders(placeholders),
    category,
    context,
    translations: splitSegments(translation),
    origin: isHuman === 1 ? 'human' : 'machine',
    ...(engine !== null && { engine }),
    ...(project !== SHARED && { project: roots.get(project) }),
    changed: new Date(changed),
    used: new Date(used),
  };
}

/** An SQL condition on rows of `translations as t`, with its parameters. */
interface Condition {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** A number that no project has. */
const NONE = -1;

/** The condition for a choice of entries. An empty choice selects all rows. */
export function conditionOf(choice: EntryChoice, ids: MemoryIds): Condition {
  const { source, target, origin, engine, project } = choice;
  const conditions: string[] = ['true'];
  const parameters: (string | number)[] = [];
  const add = (sql: string, parameter: string | number): void => {
    conditions.push(sql);
    parameters.push(parameter);
  };
  if (source !== undefined) add('t.pair in (select id from pairs where source = ?)', source);
  if (target !== undefined) add('t.pair in (select id from pairs where target = ?)', target);
  if (origin !== undefined) add('t.is_human = ?', origin === 'human' ? 1 : 0);
  // Selects entries of an engine with any model, or only with the named one.
  const named = `? in (name, substr(name, 1, instr(name || ':', ':') - 1))`;
  if (engine !== undefined) add(`t.engine in (select id from engines where ${named})`, engine);
  if (project !== undefined) {
    ids.lookAgain();
    add('t.project = ?', project === null ? SHARED : (ids.findProject(project) ?? NONE));
  }
  return { sql: conditions.join(' and '), parameters };
}

const GROUP_SHAPE = ['number', 'number', 'text or null', 'number', 'number', 'number', 'number'] as const;

type GroupRow = RowOf<typeof GROUP_SHAPE>;

/** Counts the selected entries of a file, which is read completely. */
export async function countEntries(
  choice: EntryChoice,
  file: MemoryFile,
  ids: MemoryIds,
): Promise<MemoryStats> {
  const { sql, parameters } = conditionOf(choice, ids);
  const groups = file.rows(
    `select t.pair, t.is_human, (select name from engines where id = t.engine),
       count(*), min(t.used), max(t.used), t.project
     from translations as t where ${sql} group by t.pair, t.is_human, t.engine, t.project`,
    GROUP_SHAPE,
    parameters,
  );
  const languages = new Map(
    file
      .rows('select id, source, target from pairs', ['number', 'text', 'text'])
      .map(([id, source, target]) => [id, { source, target }]),
  );
  const pairs = [...languages].flatMap(([id, pair]): PairStats[] => {
    const own = groups.filter((group) => group[0] === id);
    return own.length === 0 ? [] : [{ ...pair, ...describe(own) }];
  });
  const [messages = 0] = file.row('select count(*) from messages', ['number']) ?? [];
  return {
    entries: sum(groups),
    messages,
    bytes: await sizeOf(file.path),
    ...(groups.length > 0 && {
      oldestUse: new Date(Math.min(...groups.map(([, , , , oldest]) => oldest))),
      newestUse: new Date(Math.max(...groups.map(([, , , , , newest]) => newest))),
    }),
    pairs: pairs.sort((a, b) => b.entries - a.entries),
    projects: projectsOf(groups, ids),
  };
}

function projectsOf(groups: readonly GroupRow[], ids: MemoryIds): MemoryStats['projects'] {
  const roots = ids.projectRoots();
  const counts = new Map<number, number>();
  for (const [, , , count, , , project] of groups) {
    if (project !== SHARED) counts.set(project, (counts.get(project) ?? 0) + count);
  }
  return [...counts]
    .map(([project, entries]) => ({ root: roots.get(project) ?? '', entries }))
    .sort((a, b) => b.entries - a.entries);
}

function describe(groups: readonly GroupRow[]): Omit<PairStats, 'source' | 'target'> {
  const human = sum(groups.filter(([, isHuman]) => isHuman === 1));
  const entries = sum(groups);
  const engines = new Map<string, number>();
  for (const [, , engine, count] of groups) {
    if (engine !== null) engines.set(engine, (engines.get(engine) ?? 0) + count);
  }
  return {
    entries,
    human,
    machine: entries - human,
    engines: [...engines]
      .map(([engine, count]) => ({ engine, entries: count }))
      .sort((a, b) => b.entries - a.entries),
  };
}

function sum(groups: readonly GroupRow[]): number {
  return groups.reduce((total, [, , , entries]) => total + entries, 0);
}

/** SQLite keeps data that is not yet in the database file in the `-wal` file. */
async function sizeOf(path: string): Promise<number> {
  const sizes = await Promise.all(
    [path, `${path}-wal`].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
