import type { Key } from '../formats/format.ts';

/** The context of a value in the translation memory: its key, with a character between that no key has. */
export function contextOf(key: Key): string {
  return key.join('\u001f');
}
