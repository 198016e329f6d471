import { hash } from 'node:crypto';

/** The first 16 hexadecimal digits of a SHA-256, by which the lock compares values. */
export type Fingerprint = string;

/** The same sources and values are compared in all languages, and again when they are written. */
const known = new Map<string, Fingerprint>();
const MOST_KNOWN = 50_000;

/** The fingerprint of a text, of its UTF-8 bytes. */
export function fingerprint(text: string): Fingerprint {
  let print = known.get(text);
  if (print === undefined) {
    print = hash('sha256', text, 'hex').slice(0, 16);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, print);
  }
  return print;
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
