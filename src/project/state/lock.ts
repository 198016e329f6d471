import { open, readFile } from 'node:fs/promises';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { parseLine, readHeader, serializeRecord, type LockLine, type LockRecord } from './lock-line.ts';
import { escapePath, type LockKey } from './lock-key.ts';

export { LOCK_NAME } from '../config/own-file.ts';

const FORMAT_LINE =
  '# dragoman.lock 1: what was translated from what. Commit it. Merging: keep the lines of both sides.';

/** Records of one file in one locale. Several for a key: branches were merged; what is in the files decides. */
export type LockSection = Map<LockKey, readonly LockRecord[]>;

export interface LockHeader {
  /** Canonical. */
  readonly source?: string | undefined;
  readonly targets: readonly string[];
}

/** The lock in memory. Changes nothing on disk. */
export class Lock {
  header: LockHeader;
  readonly #sections = new Map<string, Map<string, LockSection>>();

  constructor(header: LockHeader = { targets: [] }) {
    this.header = header;
  }

  get isEmpty(): boolean {
    return this.#sections.size === 0;
  }

  files(): Iterable<string> {
    return this.#sections.keys();
  }

  locales(file: string): Iterable<string> {
    return this.#sections.get(file)?.keys() ?? [];
  }

  section(file: string, locale: string): ReadonlyMap<LockKey, readonly LockRecord[]> {
    return this.#sections.get(file)?.get(locale) ?? new Map();
  }

  /** The records of files that are not among these: of files that were deleted, or have another name now. */
  orphans(locale: string, files: ReadonlySet<string>): ReadonlyMap<LockKey, readonly LockRecord[]> {
    const orphans: LockSection = new Map();
    for (const [file, locales] of this.#sections) {
      if (files.has(file)) continue;
      for (const [key, records] of locales.get(locale) ?? []) {
        orphans.set(key, [...(orphans.get(key) ?? []), ...records]);
      }
    }
    return orphans;
  }

  replace(file: string, locale: string, section: LockSection): void {
    const locales = this.#sections.get(file) ?? new Map<string, LockSection>();
    if (section.size > 0) this.#sections.set(file, locales.set(locale, section));
    else if (locales.delete(locale) && locales.size === 0) this.#sections.delete(file);
  }

  removeFile(file: string): void {
    this.#sections.delete(file);
  }

  /** Adds what may be true besides what is there already. */
  add({ file, locale, key, source, output, mark }: LockLine): void {
    let locales = this.#sections.get(file);
    if (!locales) this.#sections.set(file, (locales = new Map()));
    let section = locales.get(locale);
    if (!section) locales.set(locale, (section = new Map()));
    const records = section.get(key);
    const record: LockRecord = { source, output, mark };
    section.set(key, records ? [...records, record] : [record]);
  }
}

/**
 * @throws DragomanError `configuration` with the line when the text is no lock: conflict markers, a damaged line,
 * another format version.
 */
export function parseLock(text: string): Lock {
  const targets = new Set<string>();
  let source: string | undefined;
  const lock = new Lock();
  let number = 0;
  let at = 0;
  while (at < text.length) {
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    const line = text.charCodeAt(end - 1) === 13 ? text.slice(at, end - 1) : text.slice(at, end);
    at = end + 1;
    number++;
    if (line === '') continue;
    const parsed = parseLine(line);
    if (!parsed) throw damaged(line, number);
    if (parsed.key !== undefined) lock.add(parsed);
    else if (parsed.name === 'target') targets.add(parsed.value);
    else if (parsed.name === 'source') source = parsed.value;
  }
  lock.header = { source, targets: [...targets].sort() };
  return lock;
}

function damaged(line: string, number: number): DragomanError {
  const at = { line: number, column: 1 };
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(line)) {
    return new DragomanError('configuration', 'the lock has an unresolved merge conflict', {
      at,
      hint: 'Remove the marker lines and keep the lines of both sides: the next sync sorts out doubles. `dragoman.lock merge=union` in .gitattributes does this by itself.',
    });
  }
  if (line.startsWith('# dragoman.lock ')) {
    return new DragomanError('configuration', 'the lock was written by a newer dragoman', {
      at,
      hint: 'Update dragoman.',
    });
  }
  return new DragomanError('configuration', 'the line is not one of a lock', {
    at,
    hint: 'Restore dragoman.lock from version control. Without it every value that is there counts as a human’s.',
  });
}

/** Sorted, so that the same state always gives the same bytes. */
export function serializeLock(lock: Lock): string {
  const lines: string[] = [];
  for (const file of lock.files()) {
    const path = escapePath(file);
    for (const locale of lock.locales(file)) {
      for (const [key, records] of lock.section(file, locale)) {
        for (const record of records) lines.push(`${path}\t${key}\t${locale}\t${serializeRecord(record)}`);
      }
    }
  }
  // Tab sorts before every character a field can have: this is the order by file, then key, then locale.
  lines.sort();
  const { source, targets } = lock.header;
  const header = [FORMAT_LINE, ...(source === undefined ? [] : [`source\t${source}`])];
  return [...header, ...[...targets].sort().map((target) => `target\t${target}`), ...lines, ''].join('\n');
}

/** Enough for the header of any lock: it stands at the beginning, and there are not that many languages. */
const HEADER_BYTES = 32 * 1024;

/** Source and targets of a lock, without reading the rest. @throws DragomanError `configuration` when it cannot be read. */
export async function readLockHeader(path: string): Promise<LockHeader> {
  const text = await readLock(path, async () => {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  });
  return readHeader(text ?? '');
}

/** The text of the lock; undefined when there is none. @throws DragomanError `configuration` when it cannot be read. */
export function readLockText(path: string): Promise<string | undefined> {
  return readLock(path, () => readFile(path, 'utf8'));
}

async function readLock(path: string, read: () => Promise<string>): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new DragomanError('configuration', `cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
}
