import type { LengthLimit } from '../text/length-limit.ts';
import type { ExchangeUnit } from './unit.ts';

/** Information for translators apart from the source, by kind. */
export interface UnitNote {
  readonly kind: 'comment' | 'plural' | 'length' | 'previous-source' | 'review';
  readonly text: string;
}

/** Whether formats that only count characters can express the limit. */
export function isInCharacters(limit: LengthLimit | undefined): limit is LengthLimit {
  return limit?.unit === 'characters' || limit?.unit === 'code points';
}

/** The notes on a unit, which every format shows in its own notation. */
export function notesOf(unit: ExchangeUnit): readonly UnitNote[] {
  const { comment, category, examples = [], limit, sourceBefore, needsReview, note } = unit;
  const notes: UnitNote[] = [];
  if (comment !== undefined && comment !== '') notes.push({ kind: 'comment', text: comment });
  if (category !== undefined) {
    const numbers = examples.length > 0 ? `, for example for ${examples.join(', ')}` : '';
    notes.push({ kind: 'plural', text: `plural form "${category}"${numbers}` });
  }
  if (limit) notes.push({ kind: 'length', text: `at most ${limit.max} ${limit.unit}` });
  if (sourceBefore !== undefined) notes.push({ kind: 'previous-source', text: sourceBefore });
  if (needsReview !== undefined || note !== undefined)
    notes.push({ kind: 'review', text: [needsReview, note].filter((part) => part !== undefined).join(': ') });
  return notes;
}
