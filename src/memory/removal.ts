import { setImmediate as nextTurn } from 'node:timers/promises';
import { sqliteCode } from '../sqlite/error.ts';
import { prepareUnit } from './comparable.ts';
import type { MemoryFile } from './memory-file.ts';
import type { MessageNumbers } from './messages.ts';
import type { RowOf } from './row.ts';
import type { SimilarIndex } from './similar-index.ts';

/** So many go in one transaction: others are to write meanwhile. */
const AT_ONCE = 5_000;

const DOOMED_SHAPE = ['number', 'number', 'number', 'number', 'text', 'number', 'number'] as const;

type Doomed = RowOf<typeof DOOMED_SHAPE>;

export interface Removal {
  readonly file: MemoryFile;
  readonly index: SimilarIndex;
  readonly messages: MessageNumbers;
  /** Puts what is to go into `temp.doomed`; `earlier` is for its own use. */
  readonly choose: () => void;
  /** Counts, and removes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Removes what is chosen, or counts it. What is used or changed while this goes on stays. */
export async function removeEntries(removal: Removal): Promise<number> {
  const { file, choose, dryRun = false } = removal;
  file.execute(
    `create temp table doomed (
       message integer, pair integer, project integer, context text,
       is_human integer, used integer, earlier integer
     )`,
  );
  try {
    choose();
    if (dryRun) return file.row('select count(*) from temp.doomed', ['number'])?.[0] ?? 0;
    let removed = 0;
    for (let last = 0; ;) {
      const doomed = file.rows(
        `select rowid, message, pair, project, context, is_human, used from temp.doomed
         where rowid > ? order by rowid limit ${AT_ONCE}`,
        DOOMED_SHAPE,
        [last],
      );
      const end = doomed.at(-1);
      if (!end) break;
      removed += file.transaction(() => remove(doomed, removal));
      [last] = end;
      await nextTurn();
    }
    if (removed > 0) giveRoomBack(file);
    return removed;
  } finally {
    file.execute('drop table temp.doomed');
  }
}

function remove(doomed: readonly Doomed[], removal: Removal): number {
  let removed = 0;
  const touched = new Set<number>();
  for (const [, message, ...others] of doomed) {
    const { changes } = removal.file.run(
      `delete from translations
       where message = ? and pair = ? and project = ? and context = ? and is_human = ? and used = ?`,
      [message, ...others],
    );
    removed += changes;
    if (changes > 0) touched.add(message);
  }
  removeMessages([...touched], removal);
  return removed;
}

/** Those that have no translation any more. */
function removeMessages(ids: readonly number[], { file, index, messages }: Removal): void {
  const orphans = file.rows(
    `select m.id, m.source, m.segments from json_each(?) as touched
     cross join messages as m on m.id = touched.value
     where not exists (select 1 from translations as t where t.message = m.id)`,
    ['number', 'text', 'text'],
    [JSON.stringify(ids)],
  );
  for (const [id, source, segments] of orphans) {
    // Of messages of several segments nothing is there: nothing goes.
    index.remove([{ id, text: prepareUnit(segments) }], source);
    file.run('delete from messages where id = ?', [id]);
  }
  index.giveNumbersBack();
  messages.forget();
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
