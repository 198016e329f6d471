/** Of a file's bytes, or of a text: 132 bits of a SHA-256. */
export type Digest = string;

export function digestOf(content: Uint8Array | string): Digest {
  // Loaded when first needed: it takes a tenth of the time in which a file of subtitles is converted.
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', content, 'base64url').slice(0, 22);
}
