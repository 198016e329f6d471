import { setImmediate as nextTurn } from 'node:timers/promises';
import { sqliteCode } from '../sqlite/error.ts';
import { comparableOf } from './comparable.ts';
import type { MemoryFile } from './memory-file.ts';
import type { MessageNumbers } from './messages.ts';
import type { RowOf } from './row.ts';
import type { SimilarIndex } from './similar-index.ts';
import { conditionOf } from './entries.ts';
import type { MemoryIds } from './ids.ts';
import type { PruneChoice, WrongEntry } from './stored-memory.ts';
import { splitSegments } from './message-key.ts';
import type { LanguagePair } from '../engines/engine.ts';
import { sameLanguage } from '../languages/locale.ts';
import { nonsenseIn } from '../text/nonsense.ts';

/** Rows per transaction, so that other processes can write in between. */
const AT_ONCE = 5_000;

const DOOMED_SHAPE = ['number', 'number', 'number', 'number', 'text', 'number', 'number'] as const;

type Doomed = RowOf<typeof DOOMED_SHAPE>;

export interface EntryRemoval {
  readonly file: MemoryFile;
  readonly index: SimilarIndex;
  readonly messages: MessageNumbers;
  /** Writes the rows to remove into `temp.doomed`, whose column `earlier` the function may use freely. */
  readonly choose: () => void;
  /** Counts without removing. */
  readonly dryRun?: boolean | undefined;
}

/** Removes the chosen entries, or counts them. Entries used or changed meanwhile are kept. */
export async function removeEntries(removal: EntryRemoval): Promise<number> {
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

function remove(doomed: readonly Doomed[], removal: EntryRemoval): number {
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

/** Removes messages without translations. */
function removeMessages(ids: readonly number[], { file, index, messages }: EntryRemoval): void {
  const orphans = file.rows(
    `select m.id, m.source, m.segments from json_each(?) as touched
     cross join messages as m on m.id = touched.value
     where not exists (select 1 from translations as t where t.message = m.id)`,
    ['number', 'text', 'text'],
    [JSON.stringify(ids)],
  );
  for (const [id, source, segments] of orphans) {
    // The index ignores messages with several segments, which it does not contain.
    index.remove([{ id, text: comparableOf(segments) }], source);
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
    // Another process is writing. The next entries will use the free space.
    if (sqliteCode(error) !== 'SQLITE_BUSY') throw error;
  }
}

/** Writes the entries to prune into `temp.doomed`, the longest unused first. */
export function chooseUnwanted(choice: PruneChoice, file: MemoryFile, ids: MemoryIds): void {
  const { unusedSince, mostEntries, origin, project, ...others } = choice;
  const whose = origin ?? (project === undefined ? 'machine' : undefined);
  const { sql, parameters } = conditionOf({ ...others, project, origin: whose }, ids);
  const unused = unusedSince === undefined ? 'true' : 't.used < ?';
  const most = mostEntries === undefined ? 0 : Math.max(0, mostEntries);
  file.run(
    `insert into temp.doomed (message, pair, project, context, is_human, used)
     select message, pair, project, context, is_human, used from (
       select message, pair, project, context, is_human, used, changed from translations as t where ${sql}
       order by used desc, changed desc, message desc, pair, project, context limit -1 offset ?
     ) as t where ${unused}`,
    [...parameters, most, ...(unusedSince === undefined ? [] : [unusedSince.getTime()])],
  );
}

const WRONG_SHAPE = ['number', 'number', 'text', 'text', 'text', 'text', 'text', 'text'] as const;
const READ_AT_ONCE = 1_000;

/**
 * Writes into `temp.doomed` the human entries whose translation was already stored, with the same context, for another
 * text. An earlier version learned them by mistake: it assumed that a file's value translated the current source text.
 *
 * Skips entries without a context, because synonyms share translations, and entries stored at the same moment, for
 * example by one import. Placeholders must be equal; otherwise the file had a different translation.
 */
export function chooseWrong(file: MemoryFile): void {
  file.run(
    `insert into temp.doomed
     select message, pair, project, context, is_human, used, earlier from (
       select t.message, t.pair, t.project, t.context, t.is_human, t.used, t.changed,
         first_value(t.message) over origins as earlier, first_value(t.changed) over origins as since
       from translations as t join messages as m on m.id = t.message
       where t.context <> '' and (t.pair, t.context, t.segments) in (
         select h.pair, h.context, h.segments from translations as h where h.is_human = 1
       )
       window origins as (
         partition by t.pair, t.project, t.context, t.segments, m.placeholders, m.category
         order by t.changed, t.message
       )
     )
     where is_human = 1 and message <> earlier and changed > since
     order by pair, project, context`,
  );
}

const MACHINE_SHAPE = [
  'number',
  'number',
  'number',
  'text',
  'number',
  'text',
  'text',
  'text',
  'text',
] as const;

/** Writes into `temp.doomed` the machine entries that cannot be translations, judged by their texts alone. */
export function chooseNonsense(file: MemoryFile): void {
  const end = file.row('select coalesce(max(message), 0) from translations', ['number'])?.[0] ?? 0;
  for (let from = 0; from < end; from += READ_AT_ONCE) {
    const rows = file.rows(
      `select t.message, t.pair, t.project, t.context, t.used, m.segments, t.segments, p.source, p.target
       from translations as t join messages as m on m.id = t.message join pairs as p on p.id = t.pair
       where t.is_human = 0 and t.message > ? and t.message <= ?`,
      MACHINE_SHAPE,
      [from, from + READ_AT_ONCE],
    );
    const wrong = rows.filter(
      ([, , , , , text, translation, source, target]) =>
        nonsenseOf(text, translation, { source, target }) !== undefined,
    );
    file.insert(
      'insert into temp.doomed (message, pair, project, context, is_human, used, earlier)',
      wrong.map(([message, pair, project, context, used]) => [
        message,
        pair,
        project,
        context,
        0,
        used,
        message,
      ]),
    );
  }
}

function nonsenseOf(text: string, translation: string, { source, target }: LanguagePair): string | undefined {
  const answers = splitSegments(translation);
  const mayCopy = sameLanguage(source, target);
  return splitSegments(text)
    .map((segment, i) => nonsenseIn(segment, answers[i] ?? '', { mayCopy }))
    .find((problem) => problem !== undefined);
}

/** The entries that {@link chooseWrong} and {@link chooseNonsense} selected, with the evidence. */
export function* readSelectedEntries(file: MemoryFile, ids: MemoryIds): Generator<WrongEntry> {
  const roots = ids.projectRoots();
  for (let last = 0; ;) {
    const rows = file.rows(
      `select d.rowid, d.project, d.context, p.source, p.target, m.segments, t.segments, e.segments
       from temp.doomed as d
       join pairs as p on p.id = d.pair
       join messages as m on m.id = d.message
       join messages as e on e.id = d.earlier
       join translations as t
         on t.message = d.message and t.pair = d.pair and t.project = d.project and t.context = d.context
       where d.rowid > ? order by d.rowid limit ${READ_AT_ONCE}`,
      WRONG_SHAPE,
      [last],
    );
    const end = rows.at(-1);
    if (!end) return;
    for (const [, project, context, source, target, text, translation, earlier] of rows) {
      yield {
        pair: { source, target },
        context,
        project: roots.get(project),
        segments: splitSegments(text),
        translations: splitSegments(translation),
        earlier: splitSegments(earlier),
        ...(text === earlier && { reason: nonsenseOf(text, translation, { source, target }) }),
      };
    }
    [last] = end;
  }
}
