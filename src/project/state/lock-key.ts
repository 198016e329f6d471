import type { Document, Key } from '../../formats/format.ts';
import { fingerprint } from './fingerprint.ts';

/**
 * A slot's key as the lock writes it: every path segment behind a `/`, as in JSON Pointer `~0` for `~` and `~1` for
 * `/`, and beyond it `~uXXXX` for what a line must not contain. Long keys end in `~#` and a fingerprint; the second
 * and later slots of one key end in `~:N`. No two slots of a document share one.
 */
export type LockKey = string;

/** Longer keys (PO: whole sentences) are cut, so that the lock stays readable. */
const MAX_LENGTH = 120;

const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff~/]/;
// With the `u` flag only lone surrogates match the surrogate range: they have no UTF-8.
const ESCAPED = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff~/]/gu;

export function lockKey(key: Key, occurrence: number): LockKey {
  let text = '';
  for (const segment of key)
    text += `/${UNSAFE.test(segment) ? segment.replace(ESCAPED, escapeCharacter) : segment}`;
  if (text.length > MAX_LENGTH) text = `${cutSafely(text)}~#${fingerprint(text)}`;
  return occurrence === 0 ? text : `${text}~:${occurrence + 1}`;
}

/** The lock keys of `document.slots`, in the same order. */
export function lockKeys(document: Document): readonly LockKey[] {
  const seen = new Map<string, number>();
  return document.slots.map(({ key }) => {
    const first = lockKey(key, 0);
    const occurrence = seen.get(first) ?? 0;
    seen.set(first, occurrence + 1);
    return occurrence === 0 ? first : lockKey(key, occurrence);
  });
}

/** A path in the lock: slashes stay. */
export function escapePath(path: string): string {
  return UNSAFE.test(path) ? path.replace(ESCAPED, (c) => (c === '/' ? c : escapeCharacter(c))) : path;
}

export function unescapePath(text: string): string {
  if (!text.includes('~')) return text;
  return text.replace(
    /~(?:([01])|u([0-9a-f]{4}))/g,
    (_, digit: string | undefined, hex: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return digit === '0' ? '~' : '/';
    },
  );
}

function escapeCharacter(character: string): string {
  if (character === '~') return '~0';
  if (character === '/') return '~1';
  return `~u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Cuts neither an escape nor a surrogate pair in two. */
function cutSafely(text: string): string {
  const cut = text.slice(0, MAX_LENGTH - 20);
  return cut.replace(/~(?:u[0-9a-f]{0,3})?$/, '').replace(/[\ud800-\udbff]$/, '');
}
