import type { Fingerprint } from './fingerprint.ts';
import { escapePath, unescapePath, type LockKey } from './lock-key.ts';

/** Whose value stands in the target. Absent: ours. */
export type LockMark =
  /** A human wrote it, or it was there before us: never overwritten. */
  | 'human'
  /** As `human`, and its source has changed since: this has been reported. */
  | 'outdated'
  /** Nobody yet: the source text stands there, to be translated by the next run. */
  | 'pending';

/** What is known of one key in one target. */
export interface LockRecord {
  /** Of the source it was translated from. */
  readonly source: Fingerprint;
  /** Of the value as it stood in the target when this was written. */
  readonly output: Fingerprint;
  readonly mark?: LockMark | undefined;
}

/** One line: `file`, `key`, `locale`, source and output fingerprint, and a mark if any, with tabs between. */
export interface LockLine extends LockRecord {
  /** The source file, relative to the lock, with slashes. */
  readonly file: string;
  readonly key: LockKey;
  /** Canonical. */
  readonly locale: string;
}

export interface HeaderLine {
  readonly name: 'format' | 'source' | 'target';
  readonly value: string;
  readonly key?: undefined;
}

const FINGERPRINT = /^[0-9a-f]{16}$/;
const MARKS: ReadonlyMap<string | undefined, LockMark | undefined> = new Map([
  [undefined, undefined],
  ['human', 'human'],
  ['outdated', 'outdated'],
  ['pending', 'pending'],
]);

export function serializeLine(line: LockLine): string {
  const { file, key, locale, source, output, mark } = line;
  const fields = `${escapePath(file)}\t${key}\t${locale}\t${source}\t${output}`;
  return mark === undefined ? fields : `${fields}\t${mark}`;
}

/** Undefined when the line is none of a lock. */
export function parseLine(text: string): LockLine | HeaderLine | undefined {
  const fields = text.split('\t');
  const [file = '', key = '', locale = '', source = '', output = '', mark] = fields;
  if (fields.length === 1)
    return text.startsWith('# dragoman.lock 1:') ? { name: 'format', value: '1' } : undefined;
  if (fields.length === 2) return parseHeader(file, key);
  if (fields.length > 6 || !MARKS.has(mark) || locale === '' || file === '') return undefined;
  if (!isFingerprint(source) || !isFingerprint(output)) return undefined;
  return { file: unescapePath(file), key, locale, source, output, mark: MARKS.get(mark) };
}

function parseHeader(name: string, value: string): HeaderLine | undefined {
  return value !== '' && (name === 'source' || name === 'target') ? { name, value } : undefined;
}

function isFingerprint(text: string): text is Fingerprint {
  return FINGERPRINT.test(text);
}

/** Source and targets without reading the rest: they stand at the beginning. */
export function readHeader(text: string): { source?: string; targets: string[] } {
  const header: { source?: string; targets: string[] } = { targets: [] };
  for (const line of text.slice(0, 64 * 1024).split('\n')) {
    const fields = line.trimEnd().split('\t');
    if (fields.length > 2) break;
    if (fields[0] === 'source' && fields[1]) header.source = fields[1];
    if (fields[0] === 'target' && fields[1]) header.targets.push(fields[1]);
  }
  return header;
}
