import { setImmediate as nextTurn } from 'node:timers/promises';
import { sqliteCode } from '../sqlite/error.ts';
import { conditionOf } from './choice.ts';
import { takeApart } from './comparable.ts';
import type { MemoryFile } from './memory-file.ts';
import type { RowOf } from './row.ts';
import type { SimilarIndex } from './similar-index.ts';
import type { PruneChoice } from './stored-memory.ts';

/** So many go in one transaction: others are to write meanwhile. */
const AT_ONCE = 5_000;

const DOOMED_SHAPE = ['number', 'number', 'number', 'text', 'number', 'number'] as const;

type Doomed = RowOf<typeof DOOMED_SHAPE>;

/** Removes what is chosen, or counts it. What is used or changed while this goes on stays. */
export async function pruneEntries(
  choice: PruneChoice,
  file: MemoryFile,
  index: SimilarIndex,
): Promise<number> {
  file.execute(
    'create temp table doomed (message integer, pair integer, context text, is_human integer, used integer)',
  );
  try {
    choose(choice, file);
    if (choice.dryRun === true) return file.row('select count(*) from temp.doomed', ['number'])?.[0] ?? 0;
    let removed = 0;
    for (let last = 0; ;) {
      const doomed = file.rows(
        `select rowid, message, pair, context, is_human, used from temp.doomed
         where rowid > ? order by rowid limit ${AT_ONCE}`,
        DOOMED_SHAPE,
        [last],
      );
      const end = doomed.at(-1);
      if (!end) break;
      removed += file.transaction(() => remove(doomed, file, index));
      [last] = end;
      await nextTurn();
    }
    if (removed > 0) giveRoomBack(file);
    return removed;
  } finally {
    file.execute('drop table temp.doomed');
  }
}

/** Notes down in a table of this connection what is to go, the longest unused first. */
function choose({ unusedSince, mostEntries, ...choice }: PruneChoice, file: MemoryFile): void {
  const { sql, parameters } = conditionOf({ ...choice, origin: choice.origin ?? 'machine' });
  const unused = unusedSince === undefined ? 'true' : 't.used < ?';
  const most = mostEntries === undefined ? 0 : Math.max(0, mostEntries);
  file.run(
    `insert into temp.doomed select message, pair, context, is_human, used from (
       select message, pair, context, is_human, used, changed from translations as t where ${sql}
       order by used desc, changed desc, message desc, pair, context limit -1 offset ?
     ) as t where ${unused}`,
    [...parameters, most, ...(unusedSince === undefined ? [] : [unusedSince.getTime()])],
  );
}

function remove(doomed: readonly Doomed[], file: MemoryFile, index: SimilarIndex): number {
  let removed = 0;
  const touched = new Set<number>();
  for (const [, message, pair, context, isHuman, used] of doomed) {
    const { changes } = file.run(
      `delete from translations
       where message = ? and pair = ? and context = ? and is_human = ? and used = ?`,
      [message, pair, context, isHuman, used],
    );
    removed += changes;
    if (changes > 0) touched.add(message);
  }
  removeMessages([...touched], file, index);
  return removed;
}

/** Those that have no translation any more. */
function removeMessages(ids: readonly number[], file: MemoryFile, index: SimilarIndex): void {
  const orphans = file.rows(
    `select m.id, m.source, m.segments from json_each(?) as touched
     cross join messages as m on m.id = touched.value
     where not exists (select 1 from translations as t where t.message = m.id)`,
    ['number', 'text', 'text'],
    [JSON.stringify(ids)],
  );
  for (const [id, source, segments] of orphans) {
    // Of messages of several segments nothing is there: nothing goes.
    index.remove([{ id, text: takeApart(segments) }], source);
    file.run('delete from messages where id = ?', [id]);
  }
}

function giveRoomBack(file: MemoryFile): void {
  try {
    file.execute('pragma incremental_vacuum');
    file.execute('pragma wal_checkpoint(truncate)');
  } catch (error) {
    // Somebody else writes: the room is used again by what is stored next.
    if (sqliteCode(error) !== 'SQLITE_BUSY') throw error;
  }
}
