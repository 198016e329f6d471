import { dirname } from 'node:path';
import { isMissing, readChunks, readIfThere, type BoundedReadOptions } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { hasDecisions } from './decision.ts';
import {
  escapePath,
  isRecord,
  isSameRecord,
  type LockKey,
  type LockLine,
  type LockRecord,
  parseHeader,
  parseRecord,
  readHeader,
  serializeRecord,
  unescapePath,
} from './lock-line.ts';
import { digestOf, type Digest } from '../../base/digest.ts';
import { splice, type Edit } from '../../base/span.ts';

export { LOCK_NAME } from '../config/file.ts';

/** Older versions only read format 1, so it is written until the first decision. It lacks the mark `memory`. */
const FORMAT_LINES = {
  1: '# dragoman.lock 1: what was translated from what. Commit it. Merging: keep the lines of both sides.',
  2: '# dragoman.lock 2: what was translated from what, and who approved it. Commit it. Merging: keep the lines of both sides.',
} as const;

/**
 * The records of one file in one locale. After a merge of branches, a key may have several; the values in the files
 * determine the valid one.
 */
type LockSection = Map<LockKey, readonly LockRecord[]>;

/** The new records of a section's keys. Keys without records are removed. */
export type LockChanges = ReadonlyMap<LockKey, readonly LockRecord[]>;

export interface LockHeader {
  /** Canonical. */
  readonly source?: string | undefined;
  readonly targets: readonly string[];
}

/** The lines of one file, in at least one of the two forms. */
interface FileLines {
  /** The lines in the lock, sorted, each with its line end; undefined after many changes. */
  text: string | undefined;
  /** The records of keys that differ from the text, by the start of their lines. */
  changed?: Map<string, readonly LockRecord[]> | undefined;
  /** The digest of that text; undefined until first used. */
  digest?: Digest | undefined;
  /** By locale; undefined until first used. */
  sections: Map<string, LockSection> | undefined;
}

/**
 * The lock in memory. Does not write to disk. The lines of a file are parsed when first used, and unchanged lines are
 * written as they were, because most runs only affect a few of many files.
 */
export class Lock {
  header: LockHeader;
  readonly #files = new Map<string, FileLines>();

  constructor(header: LockHeader = { targets: [] }) {
    this.header = header;
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  files(): Iterable<string> {
    return this.#files.keys();
  }

  section(file: string, locale: string): ReadonlyMap<LockKey, readonly LockRecord[]> {
    return this.#sectionsOf(file)?.get(locale) ?? new Map();
  }

  localesOf(file: string): readonly string[] {
    return [...(this.#sectionsOf(file)?.keys() ?? [])];
  }

  *lines(): Iterable<LockLine> {
    for (const file of this.#files.keys()) {
      for (const [locale, section] of this.#sectionsOf(file) ?? []) {
        for (const [key, records] of section)
          for (const record of records) yield { file, locale, key, ...record };
      }
    }
  }

  /** Replaces the records of keys in a section; keys without new records are removed. */
  update(file: string, locale: string, changes: LockChanges): void {
    if (changes.size === 0) return;
    const sections = this.#sectionsOf(file) ?? new Map<string, LockSection>();
    const section = sections.get(locale) ?? new Map<LockKey, readonly LockRecord[]>();
    const { text, changed = new Map<string, readonly LockRecord[]>() } = this.#files.get(file) ?? {};
    const path = escapePath(file);
    for (const [key, records] of changes) {
      if (text !== undefined) changed.set(`${path}\t${key}\t${locale}\t`, records);
      if (records.length > 0) section.set(key, records);
      else section.delete(key);
    }
    if (section.size > 0) sections.set(locale, section);
    else sections.delete(locale);
    if (sections.size === 0) this.#files.delete(file);
    else if (text === undefined || changed.size > text.length / CHARACTERS_OF_EDIT)
      this.#files.set(file, { text: undefined, sections });
    else this.#files.set(file, { text, changed, sections });
  }

  /** Adds a record that may also be true, unless it already exists. */
  add({ file, locale, key, ...record }: LockLine): void {
    const sections = this.#sectionsOf(file) ?? new Map<string, LockSection>();
    addRecord(sections, locale, key, record);
    this.#files.set(file, { text: undefined, sections });
  }

  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** Adds the lines that a lock has for a file. They are sorted, and each ends with a line feed. */
  addLines(file: string, text: string, digest: Digest): void {
    this.#files.set(file, { text, digest, sections: undefined });
  }

  /** The lines of a file, sorted; possibly empty. */
  linesOf(file: string): string {
    const lines = this.#files.get(file);
    if (!lines) return '';
    const { text, changed, sections = new Map<string, LockSection>() } = lines;
    lines.changed = undefined;
    return (lines.text = text === undefined ? serializeFile(file, sections) : editLines(text, changed));
  }

  /** A digest of {@link linesOf}. */
  digestOf(file: string): Digest {
    const text = this.linesOf(file);
    const lines = this.#files.get(file);
    return lines ? (lines.digest ??= digestOf(text)) : digestOf('');
  }

  #sectionsOf(file: string): Map<string, LockSection> | undefined {
    const lines = this.#files.get(file);
    if (!lines) return undefined;
    return (lines.sections ??= parseFileLines(lines.text ?? '', 'checked').sections);
  }
}

/** If more than one key per this many characters has changed, sorting all lines again takes no longer. */
const CHARACTERS_OF_EDIT = 1000;

function editLines(text: string, changed: ReadonlyMap<string, readonly LockRecord[]> = new Map()): string {
  // In the order of the lines, because several may be inserted at the same position.
  const ordered = [...changed].sort(([a], [b]) => (a < b ? -1 : 1));
  return splice(
    text,
    ordered.map(([prefix, records]) => editOf(text, prefix, records)),
  );
}

/** Replaces the lines of a key in a sorted text with its records. */
function editOf(text: string, prefix: string, records: readonly LockRecord[]): Edit {
  let start = 0;
  for (let behind = text.length; start < behind;) {
    const line = text.lastIndexOf('\n', ((start + behind) >> 1) - 1) + 1;
    const from = Math.max(line, start);
    if (text.slice(from, from + prefix.length) < prefix) start = lineEnd(text, from);
    else behind = from;
  }
  let end = start;
  while (text.startsWith(prefix, end)) end = lineEnd(text, end);
  const lines = records.map((record) => `${prefix}${serializeRecord(record)}\n`);
  return { span: { start, end }, text: lines.sort().join('') };
}

function addRecord(
  sections: Map<string, LockSection>,
  locale: string,
  key: LockKey,
  record: LockRecord,
): void {
  let section = sections.get(locale);
  if (!section) sections.set(locale, (section = new Map()));
  const records = section.get(key);
  if (!records) section.set(key, [record]);
  else if (!records.some((other) => isSameRecord(other, record))) section.set(key, [...records, record]);
}

/**
 * @param isKnown whether an earlier run validated the lines with this digest, so that this one can skip them
 * @throws DragomanError `configuration` with the line of an invalid lock: conflict markers, a damaged line, another
 * format version.
 */
export function parseLock(text: string, isKnown: (lines: Digest) => boolean = () => false): Lock {
  const lock = new Lock();
  const parts = splitByFile(text);
  for (const { field, text: lines, number } of parts.files) {
    const file = unescapePath(field);
    const isFirst = !lock.has(file);
    const digest = digestOf(lines);
    if (isFirst && isKnown(digest)) {
      lock.addLines(file, lines, digest);
      continue;
    }
    const { sections, isSorted } = parseFileLines(lines, { first: number });
    if (isFirst && isSorted) lock.addLines(file, lines, digest);
    else addSections(lock, file, sections);
  }
  lock.header = parts.header;
  return lock;
}

function addSections(lock: Lock, file: string, sections: ReadonlyMap<string, LockSection>): void {
  for (const [locale, section] of sections) {
    for (const [key, records] of section)
      for (const record of records) lock.add({ file, locale, key, ...record });
  }
}

interface LockPart {
  /** The path as written in the lock. */
  readonly field: string;
  readonly text: string;
  /** The line number of its first line in the lock, from 1. */
  readonly number: number;
}

/** Splits the text where another file starts. Only the header is parsed. */
function splitByFile(text: string): { readonly header: LockHeader; readonly files: readonly LockPart[] } {
  const targets = new Set<string>();
  let source: string | undefined;
  const files: LockPart[] = [];
  let number = 1;
  let at = 0;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end).trimEnd();
    const header = line === '' ? undefined : parseHeader(line);
    if (header || line === '') {
      if (header?.name === 'target') targets.add(header.value);
      if (header?.name === 'source') source = header.value;
      at = end;
      number++;
      continue;
    }
    const tab = line.indexOf('\t');
    if (tab < 1) throw damaged(line, number);
    const prefix = line.slice(0, tab + 1);
    const start = at;
    const first = number;
    while (text.startsWith(prefix, at)) {
      at = lineEnd(text, at);
      number++;
    }
    files.push({ field: line.slice(0, tab), text: text.slice(start, at), number: first });
  }
  return { header: { source, targets: [...targets].sort() }, files };
}

/** The offset after the end of the line. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/**
 * Parses the lines of one file, which all start with its path.
 *
 * @param lines the number of the first line in the lock, or `checked` for lines that were parsed before without an
 * error
 */
function parseFileLines(
  text: string,
  lines: 'checked' | { readonly first: number },
): { readonly sections: Map<string, LockSection>; readonly isSorted: boolean } {
  const sections = new Map<string, LockSection>();
  const keyStart = text.indexOf('\t') + 1;
  let isSorted = text.endsWith('\n');
  let previous = '';
  let key = '';
  let number = 0;
  for (let at = 0; at < text.length; number++) {
    const end = lineEnd(text, at);
    let stop = text.charCodeAt(end - 1) === 10 ? end - 1 : end;
    if (text.charCodeAt(stop - 1) === 13) {
      stop--;
      isSorted = false;
    }
    // A key has a line for each locale, so they share one string.
    const start = at + keyStart;
    if (!text.startsWith(key, start) || text.charCodeAt(start + key.length) !== 9)
      key = text.slice(start, text.indexOf('\t', start));
    const localeStart = start + key.length + 1;
    const record = text.indexOf('\t', localeStart) + 1;
    if (lines !== 'checked') {
      const line = text.slice(at, stop);
      const isLine = record > localeStart + 1 && isRecord(text, record, stop);
      if (!isLine) throw damaged(line, lines.first + number);
      isSorted &&= previous <= line;
      previous = line;
    }
    addRecord(sections, text.slice(localeStart, record - 1), key, parseRecord(text, record, stop));
    at = end;
  }
  return { sections, isSorted };
}

function damaged(line: string, number: number): DragomanError {
  const at = { line: number, column: 1 };
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(line)) {
    return new DragomanError('configuration', 'merge conflict', {
      at,
      hint: 'Remove the marker lines and keep the lines of both sides: the next sync removes duplicates. With `dragoman.lock merge=union` in .gitattributes, git does this by itself.',
    });
  }
  if (line.startsWith('# dragoman.lock ')) {
    return new DragomanError('configuration', 'the lock was written by a newer dragoman', {
      at,
      hint: 'Update dragoman.',
    });
  }
  return new DragomanError('configuration', 'invalid line in the lock file', {
    at,
    hint: 'Restore dragoman.lock from version control. Without it, dragoman cannot tell its own translations from others, and leaves them all unchanged.',
  });
}

/**
 * Sorted, so that the same state always gives the same bytes.
 *
 * @param isKept selects the files whose lines are written. Default: all.
 */
export function serializeLock(
  lock: Lock,
  { source, targets }: LockHeader = lock.header,
  isKept: (file: string) => boolean = () => true,
): string {
  // A tab sorts before every character in a path, so this is the order of the lines.
  const files = [...lock.files()].filter(isKept).map((file) => [`${escapePath(file)}\t`, file] as const);
  files.sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = files.map(([, file]) => lock.linesOf(file)).join('');
  const format = hasDecisions(lines) ? 2 : 1;
  const body = format === 1 && lines.includes(MEMORY_END) ? withoutMemory(lines) : lines;
  const header = [FORMAT_LINES[format], ...(source === undefined ? [] : [`source\t${source}`])];
  return [...header, ...[...targets].sort().map((target) => `target\t${target}`), body].join('\n');
}

const MEMORY_END = '\tmemory\n';

/** Removes the mark, because one branch may have a record with it, and another the same record without it. */
function withoutMemory(lines: string): string {
  const bare = lines.replaceAll(MEMORY_END, '\n').split(/(?<=\n)/);
  return [...new Set(bare)].sort().join('');
}

function serializeFile(file: string, sections: ReadonlyMap<string, LockSection>): string {
  const lines: string[] = [];
  const path = escapePath(file);
  for (const [locale, section] of sections) {
    for (const [key, records] of section) {
      for (const record of records) lines.push(`${path}\t${key}\t${locale}\t${serializeRecord(record)}\n`);
    }
  }
  return lines.sort().join('');
}

/** Enough for millions of keys. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Source and targets of a lock. Only reads its start, which is long enough for all languages. @throws DragomanError
 * `configuration` if it is unreadable
 */
export async function readLockHeader(path: string): Promise<LockHeader> {
  try {
    for await (const chunk of readChunks(path, optionsFor(path))) return readHeader(chunk.toString('utf8'));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return readHeader('');
}

/** The text of the lock; undefined if it is missing. @throws DragomanError `configuration` if it is unreadable. */
export async function readLockText(path: string): Promise<string | undefined> {
  return (await readIfThere(path, optionsFor(path)))?.toString('utf8');
}

function optionsFor(path: string): BoundedReadOptions {
  return { limit: MAX_BYTES, code: 'configuration', inside: dirname(path) };
}
