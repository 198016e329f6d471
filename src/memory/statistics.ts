import { stat } from 'node:fs/promises';
import { conditionOf } from './choice.ts';
import type { Ids } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import { SHARED } from './rank.ts';
import type { RowOf } from './row.ts';
import type { EntryChoice, MemoryStats, PairStats } from './stored-memory.ts';

const GROUP_SHAPE = ['number', 'number', 'text or null', 'number', 'number', 'number', 'number'] as const;

type GroupRow = RowOf<typeof GROUP_SHAPE>;

/** Counts what is chosen of a file: all of it is read. */
export async function countEntries(choice: EntryChoice, file: MemoryFile, ids: Ids): Promise<MemoryStats> {
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

function projectsOf(groups: readonly GroupRow[], ids: Ids): MemoryStats['projects'] {
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
    ...{ entries, human, machine: entries - human },
    engines: [...engines]
      .map(([engine, count]) => ({ engine, entries: count }))
      .sort((a, b) => b.entries - a.entries),
  };
}

function sum(groups: readonly GroupRow[]): number {
  return groups.reduce((total, [, , , entries]) => total + entries, 0);
}

/** What is not yet in the file itself stands in the one beside it. */
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
