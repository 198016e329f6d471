import { hash } from 'node:crypto';

/** The first 16 hexadecimal digits of a SHA-256, by which the lock compares values. */
export type Fingerprint = string;

/** The fingerprint of a text, of its UTF-8 bytes. Not kept: looking for a text takes as long as hashing it. */
export function fingerprint(text: string): Fingerprint {
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** The parts of a source on which a translation depends. A change of any makes the translation stale. */
export interface SourceFacts {
  readonly text: string;
  readonly comment?: string | undefined;
  /** CLDR category of the source form. */
  readonly category?: string | undefined;
}

export function sourceFingerprint({ text, comment, category }: SourceFacts): Fingerprint {
  if (comment === undefined && category === undefined) return fingerprint(text);
  // As JSON, since a text may contain any separator.
  return fingerprint(JSON.stringify([text, comment ?? null, category ?? null]));
}
