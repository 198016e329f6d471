import { conditionOf } from './choice.ts';
import type { MemoryFile } from './memory-file.ts';
import { splitPlaceholders, splitSegments } from './message-key.ts';
import type { RowOf } from './row.ts';
import type { EntryChoice, StoredEntry } from './stored-memory.ts';

const AT_ONCE = 1_000;

const ENTRY_SHAPE = [
  ...(['number', 'number', 'text', 'text', 'number', 'text or null', 'number', 'number'] as const),
  ...(['text', 'text', 'text', 'text', 'text'] as const),
] as const;

type EntryRow = RowOf<typeof ENTRY_SHAPE>;

/** A page of entries behind the row where the last one ended. */
export function readEntries(
  file: MemoryFile,
  choice: EntryChoice,
  after: readonly [message: number, pair: number, context: string],
): readonly EntryRow[] {
  const { sql, parameters } = conditionOf(choice);
  return file.rows(
    `select t.message, t.pair, t.context, t.segments, t.is_human, e.name, t.changed, t.used, p.source, p.target,
       m.segments, m.placeholders, m.category
     from translations as t
     join messages as m on m.id = t.message
     join pairs as p on p.id = t.pair
     left join engines as e on e.id = t.engine
     where (t.message, t.pair, t.context) > (?, ?, ?) and ${sql}
     order by t.message, t.pair, t.context limit ${AT_ONCE}`,
    ENTRY_SHAPE,
    [...after, ...parameters],
  );
}

export function entryOf(row: EntryRow): StoredEntry {
  const [, , context, translation, isHuman, engine, changed, used, source, target] = row;
  const [, , , , , , , , , , segments, placeholders, category] = row;
  return {
    pair: { source, target },
    segments: splitSegments(segments),
    placeholders: splitPlaceholders(placeholders),
    category,
    context,
    translations: splitSegments(translation),
    origin: isHuman === 1 ? 'human' : 'machine',
    ...(engine !== null && { engine }),
    changed: new Date(changed),
    used: new Date(used),
  };
}
