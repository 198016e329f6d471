import { hash } from 'node:crypto';
import type { Document, Key } from '../../formats/format.ts';
import { parseDecision, serializeDecision, type Decision } from './decision.ts';

/** The first 16 hexadecimal digits of a SHA-256 hash, by which the lock compares values. */
export type Fingerprint = string;

/** The fingerprint of a text's UTF-8 bytes. Not cached, because looking up a text takes as long as hashing it. */
export function fingerprint(text: string): Fingerprint {
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** The parts of a source on which its translation depends. If any of them changes, the translation is stale. */
interface SourceFacts {
  readonly text: string;
  readonly comment?: string | undefined;
  /** The CLDR category of the source form. */
  readonly category?: string | undefined;
}

export function sourceFingerprint({ text, comment, category }: SourceFacts): Fingerprint {
  if (comment === undefined && category === undefined) return fingerprint(text);
  // In JSON, because a text may contain any separator.
  return fingerprint(JSON.stringify([text, comment ?? null, category ?? null]));
}

/**
 * A slot's key in the lock: every path segment follows a `/`, with `~0` for `~` and `~1` for `/` as in JSON Pointer,
 * and also `~uXXXX` for characters that a line must not contain. Long keys end with `~#` and a fingerprint; the second
 * and later slots of the same key end with `~:N`. All slots of a document have different keys.
 */
export type LockKey = string;

/** Longer keys (PO: whole sentences) are cut, so that the lock stays readable. */
const MAX_LENGTH = 120;

const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff~/]/;
// Because of the `u` flag, the surrogate range only matches lone surrogates, which UTF-8 cannot represent.
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

/** A path in the lock, which keeps its slashes. */
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

/** Cuts a text without splitting an escape or a surrogate pair. */
function cutSafely(text: string): string {
  const cut = text.slice(0, MAX_LENGTH - 20);
  return cut.replace(/~(?:u[0-9a-f]{0,3})?$/, '').replace(/[\ud800-\udbff]$/, '');
}

/** The author of the value in the target. Undefined if it is ours. */
export type LockMark =
  /** Ours, and marked for review in its file. Removing that mark approves it. */
  | 'review'
  /** Ours: a run took it from the memory, where a person had translated the same text. Written in format 2 only. */
  | 'memory'
  /** Written by a person: it differs from the record. Never overwritten. */
  | 'human'
  /** Existed before the first sync, so its writer is unknown. Never overwritten, and never learned from. */
  | 'unknown'
  /** Not ours, and its source has changed since, which has been reported. Never overwritten. */
  | 'outdated'
  /** Not translated yet: the target contains the source text, which the next run translates. */
  | 'pending';

/** The record of one key in one target. */
export interface LockRecord {
  /** The fingerprint of the translated source. */
  readonly source: Fingerprint;
  /** The fingerprint of the target's value when it was written. */
  readonly output: Fingerprint;
  readonly mark?: LockMark | undefined;
  /** The decision about this output for this source only. */
  readonly decision?: Decision | undefined;
  /** Set if an interrupted run intended to write the value, and may not have done so. Never in the lock's text. */
  readonly intended?: true | undefined;
}

/**
 * One line: `file`, `key`, `locale`, source and output fingerprint, then a mark and a decision if any, separated by
 * tabs.
 */
export interface LockLine extends LockRecord {
  /** The source file, relative to the lock, with slashes. */
  readonly file: string;
  readonly key: LockKey;
  /** Canonical. */
  readonly locale: string;
}

interface HeaderLine {
  readonly name: 'format' | 'source' | 'target';
  readonly value: string;
}

const MARKS: ReadonlyMap<string, LockMark> = new Map(
  (['human', 'unknown', 'outdated', 'pending', 'review', 'memory'] as const).map((mark) => [mark, mark]),
);

/** Whether the mark says that dragoman wrote the recorded value. */
export function isOwnMark(mark: LockMark | undefined): boolean {
  return mark === undefined || mark === 'review' || mark === 'memory';
}

export function serializeLine({ file, key, locale, ...record }: LockLine): string {
  return `${escapePath(file)}\t${key}\t${locale}\t${serializeRecord(record)}`;
}

export function serializeRecord({ source, output, mark, decision }: LockRecord): string {
  const marked = mark === undefined ? `${source}\t${output}` : `${source}\t${output}\t${mark}`;
  return decision ? `${marked}\t${serializeDecision(decision)}` : marked;
}

/** Whether both have the same records for a key. Undefined counts as no records. */
export function sameRecords(a: readonly LockRecord[] = [], b: readonly LockRecord[] = []): boolean {
  return a === b || (a.length === b.length && a.every((record, i) => isSameRecord(record, b[i])));
}

export function isSameRecord(a: LockRecord, b: LockRecord | undefined): boolean {
  if (a.source !== b?.source || a.output !== b.output || a.mark !== b.mark) return false;
  if (a.decision === b.decision) return true;
  return (a.decision && serializeDecision(a.decision)) === (b.decision && serializeDecision(b.decision));
}

/** Undefined if the line is not a record. */
export function parseLine(text: string): LockLine | undefined {
  const [file = '', key = '', locale = '', ...fields] = text.split('\t');
  const start = file.length + key.length + locale.length + 3;
  if (fields.length < 2 || locale === '' || file === '' || !isRecord(text, start, text.length))
    return undefined;
  return { file: unescapePath(file), key, locale, ...parseRecord(text, start, text.length) };
}

const LENGTH = 16;

/** Reads a record from its position in a text, which must contain one (see {@link isRecord}). */
export function parseRecord(text: string, start: number, end: number): LockRecord {
  const middle = start + LENGTH + 1;
  const behind = middle + LENGTH;
  const [source, output] = [text.slice(start, middle - 1), text.slice(middle, behind)];
  const rest = end === behind ? undefined : parseRest(text.slice(behind + 1, end));
  return rest?.decision ? { source, output, ...rest } : { source, output, mark: rest?.mark };
}

/** Whether this part of a text has the format of {@link serializeRecord}. */
export function isRecord(text: string, start: number, end: number): boolean {
  const middle = start + LENGTH + 1;
  const behind = middle + LENGTH;
  if (end < behind || text.charCodeAt(middle - 1) !== TAB) return false;
  if (!isFingerprintAt(text, start) || !isFingerprintAt(text, middle)) return false;
  return end === behind || (text.charCodeAt(behind) === TAB && !!parseRest(text.slice(behind + 1, end)));
}

/** Mark and decision, of which at least one is present. */
function parseRest(text: string): Pick<LockRecord, 'mark' | 'decision'> | undefined {
  const only = MARKS.get(text);
  if (only) return { mark: only };
  const tab = text.indexOf('\t');
  const mark = MARKS.get(text.slice(0, Math.max(0, tab)));
  const decision = parseDecision(mark ? text.slice(tab + 1) : text);
  return decision && { mark, decision };
}

const TAB = 9;

/** Returns undefined if the line is not part of a lock's header. */
export function parseHeader(text: string): HeaderLine | undefined {
  if (/^# dragoman\.lock [12]:/.test(text)) return { name: 'format', value: text };
  const [name = '', value = '', ...more] = text.split('\t');
  if (more.length > 0 || value === '') return undefined;
  return name === 'source' || name === 'target' ? { name, value } : undefined;
}

/** Called twice for each of many lines; a regular expression would take three times as long. */
function isFingerprintAt(text: string, start: number): boolean {
  for (let i = start; i < start + LENGTH; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 102 || (code > 57 && code < 97)) return false;
  }
  return true;
}

/** Source and targets from the start of a lock's text. */
export function readHeader(text: string): { source?: string; targets: string[] } {
  const header: { source?: string; targets: string[] } = { targets: [] };
  for (const line of text.split('\n')) {
    if (line.split('\t').length > 2) break;
    const { name, value = '' } = parseHeader(line.trimEnd()) ?? {};
    if (name === 'source') header.source = value;
    if (name === 'target') header.targets.push(value);
  }
  return header;
}
