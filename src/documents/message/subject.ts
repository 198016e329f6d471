import { subjectLike } from '../../formats/email/subject.ts';
import type { SegmentContext, UnitOutcome } from '../../pipeline/unit.ts';
import { translateUnits } from '../../pipeline/units.ts';

/** What mail programs put before the subject of answers, by which they find conversations: no words of the subject. */
const REPLY = /^\s*(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|odp)(?:\[\d{1,3}\])?:\s*)+/i;

/**
 * Translates a subject as plain text. A reply mark (`Re:`, `Fwd:`) and the blanks at both ends stay. What comes back is
 * one line, unless the source is more.
 *
 * @throws DragomanError as `translateUnits`.
 */
export async function translateSubject(subject: string, context: SegmentContext): Promise<UnitOutcome> {
  const mark = REPLY.exec(subject)?.[0] ?? '';
  const units = [{ value: subject.slice(mark.length), syntax: 'plain' as const }];
  const [outcome = { failure: 'no outcome', kind: 'engine' as const }] = await translateUnits(units, context);
  if ('failure' in outcome) return outcome;
  const value = mark + outcome.value;
  if (value === subject || /[\r\n]/.test(subject)) return { ...outcome, value };
  return { ...outcome, value: subjectLike(subject, value) };
}
