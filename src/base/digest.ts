import { hash } from 'node:crypto';

/** Of a file's bytes, or of a text: 132 bits of a SHA-256. */
export type Digest = string;

export function digestOf(content: Uint8Array | string): Digest {
  return hash('sha256', content, 'base64url').slice(0, 22);
}
