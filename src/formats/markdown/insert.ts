import { splice, type Edit } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';

/**
 * A block that is missing comes with the whole structure of the skeleton, in which each block that the target has gets
 * the target's words: blocks stand in containers that nobody can add by themselves.
 */
export function insert(target: Document, skeleton: Document, missing: readonly Key[]): readonly Edit[] {
  if (missing.length === 0) return [];
  const values = new Map(target.slots.map(({ key, value }) => [key.join('\n'), value]));
  const edits = skeleton.slots.flatMap((slot) => {
    const value = values.get(slot.key.join('\n'));
    return value === undefined || value === slot.value ? [] : [{ span: slot.span, text: slot.encode(value) }];
  });
  return [{ span: { start: 0, end: target.text.length }, text: splice(skeleton.text, edits) }];
}
