import type { Ids } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import { splitSegments } from './message-key.ts';
import type { WrongEntry } from './stored-memory.ts';

const WRONG_SHAPE = ['number', 'number', 'text', 'text', 'text', 'text', 'text', 'text'] as const;
const AT_ONCE = 1_000;

/**
 * Notes down in `temp.doomed` the humans' entries whose translation had been stored before, with the same context, for
 * another text. Only an earlier version learned those: it took what stood in a file for a translation of the text that
 * was its source by then.
 *
 * Entries without a context are left alone, since synonyms share translations; so are those that were stored at the same
 * moment, such as those of one import. Placeholders must be the same, or the translation in the file was another one.
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

/** What was noted down, with the texts that tell it. */
export function* readWrong(file: MemoryFile, ids: Ids): Generator<WrongEntry> {
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
       where d.rowid > ? order by d.rowid limit ${AT_ONCE}`,
      WRONG_SHAPE,
      [last],
    );
    const end = rows.at(-1);
    if (!end) return;
    for (const [, project, context, source, target, text, translation, earlier] of rows) {
      yield {
        ...{ pair: { source, target }, context, project: roots.get(project) },
        ...{ segments: splitSegments(text), translations: splitSegments(translation) },
        earlier: splitSegments(earlier),
      };
    }
    [last] = end;
  }
}
