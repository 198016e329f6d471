import { conditionOf } from './choice.ts';
import type { Ids } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import { splitPlaceholders, splitSegments } from './message-key.ts';
import { SHARED } from './rank.ts';
import type { RowOf } from './row.ts';
import type { EntryChoice, StoredEntry } from './stored-memory.ts';

const AT_ONCE = 1_000;

const ENTRY_SHAPE = [
  ...(['number', 'number', 'number', 'text'] as const),
  ...(['text', 'number', 'text or null', 'number', 'number'] as const),
  ...(['text', 'text', 'text', 'text', 'text'] as const),
] as const;

type EntryRow = RowOf<typeof ENTRY_SHAPE>;

/** The row of an entry. */
export type EntryPlace = readonly [message: number, pair: number, project: number, context: string];

export const BEFORE_ALL: EntryPlace = [0, 0, 0, ''];

export interface EntryPage {
  readonly entries: readonly StoredEntry[];
  /** Where the next one begins; undefined behind the last one. */
  readonly last: EntryPlace | undefined;
}

/** A page of entries behind the row where the one before ended. */
export function readEntries(file: MemoryFile, ids: Ids, choice: EntryChoice, after: EntryPlace): EntryPage {
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
