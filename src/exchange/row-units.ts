import type { TextRow } from '../project/review/row.ts';
import { type ExchangeUnit, writeUnitId } from './unit.ts';

/** Converts the forms of a row to units for translators. */
export function unitsOf(row: TextRow, project: string): readonly ExchangeUnit[] {
  const {
    id,
    locale,
    name: key,
    file,
    comment,
    state,
    needsReview,
    decision,
    sourceBefore,
    limit,
    forms,
  } = row;
  return forms.map(({ category, examples, source, sourceHash, syntax, translation, base }, form) => ({
    id: writeUnitId({ project, locale, row: id, form, source: sourceHash, base }),
    key,
    file,
    category,
    examples,
    comment,
    source,
    sourceBefore,
    syntax,
    translation,
    // Exporting an approval that does not count, such as an agent's, would make it count on import.
    state: needsReview !== undefined && (state === 'reviewed' || state === 'final') ? 'translated' : state,
    needsReview,
    note: decision?.note,
    limit,
  }));
}
