/** 132 bits of the SHA-256 of a file or text. */
export type Digest = string;

/** The size, in bytes, from which a look-up is faster than hashing. */
const LARGE = 1 << 20;
const known = new WeakMap<Uint8Array, Digest>();

/** @param content large contents are cached by reference and must not change */
export function digestOf(content: Uint8Array | string): Digest {
  if (typeof content === 'string' || content.length < LARGE) return digest(content);
  const found = known.get(content) ?? digest(content);
  known.set(content, found);
  return found;
}

function digest(content: Uint8Array | string): Digest {
  // Loaded on first use, because loading takes a tenth of the time of a subtitle conversion.
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', content, 'base64url').slice(0, 22);
}
