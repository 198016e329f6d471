import { splice, type Edit } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';

/**
 * A missing block cannot be inserted alone, because its containers cannot. The skeleton's whole structure is used, and
 * blocks that the target has get the target's words.
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
