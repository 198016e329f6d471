import type { Document } from '../../formats/format.ts';
import { keyId } from './pairing.ts';

/** Identifies a translatable key of a file. The forms of a plural are one key, and so are duplicates. */
export type MessageId = string;

/**
 * The translatable keys of a file (specification: `total_keys`), each with its place among them: those with a text. What
 * is only white space is none.
 */
export function messageKeys({ slots }: Document): ReadonlyMap<MessageId, number> {
  const keys = new Map<MessageId, number>();
  for (const { key, plural, source, value } of slots) {
    if ((source ?? value).trim() === '') continue;
    const id = keyId(plural?.group ?? key);
    if (!keys.has(id)) keys.set(id, keys.size);
  }
  return keys;
}
