/** Of a file's bytes, or of a text: 132 bits of a SHA-256. */
export type Digest = string;

/** In bytes: the bytes of a smaller file are digested faster than they are looked up. */
const LARGE = 1 << 20;
const known = new WeakMap<Uint8Array, Digest>();

/** @param content large bytes are digested once: they must not change */
export function digestOf(content: Uint8Array | string): Digest {
  if (typeof content === 'string' || content.length < LARGE) return digest(content);
  const found = known.get(content) ?? digest(content);
  known.set(content, found);
  return found;
}

function digest(content: Uint8Array | string): Digest {
  // Loaded when first needed: it takes a tenth of the time in which a file of subtitles is converted.
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', content, 'base64url').slice(0, 22);
}
