import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { closing } from '../../base/closing.ts';
import { DragomanError } from '../../base/errors.ts';
import { systemError } from '../../base/system-error.ts';
import { isObject, parseObject, type JsonObject } from '../../base/json.ts';
import type { SegmentEntry, SegmentJournal } from '../../pipeline/unit.ts';
import { type LockKey, type LockLine, parseLine, serializeLine } from './lock-line.ts';
import { addTo } from '../../base/map-of-lists.ts';

/**
 * The finished work of a run that is not yet in the files and the lock. One JSON document per line, each on disk before
 * the run continues:
 * - `{"segments": [[key, translation], …]}` a batch that the engine finished
 * - `{"target": path, "lines": [lock line, …]}` a file about to be written, with the lock lines that will then be true
 * - `{"settled": {"file", "locale", "keys"}, "lines": [lock line, …]}` the file is written: these lines replace all
 *   earlier ones of these keys; without lines, the lock already has them
 * - `{"scope": {"paths", "targets", "keys"}}` the scope of the run, before any other line of it
 * - `{"job": {"name", "file", "digest", "locales", "id"}}` a file that is translated as a job, about to be created if
 *   it has no id; later lines with the same name replace earlier ones
 *
 * If a run was killed, the next one takes its translations from here instead of requesting them again, and does not
 * mistake its own output for a person's. Deleted when everything is in the files and the lock.
 */
export interface JournalContent {
  readonly segments: ReadonlyMap<string, string>;
  readonly lines: readonly LockLine[];
  /** Targets that were about to be written, relative to the root. */
  readonly targets: readonly string[];
  readonly jobs: readonly JournalledJob[];
  readonly scopes: readonly JournalScope[];
}

/** The requested scope of a run. */
interface JournalScope {
  /** Relative to the root; the empty path means all of it. */
  readonly paths: readonly string[];
  /** Canonical. */
  readonly targets: readonly string[];
  /** Patterns for keys; undefined for all keys. */
  readonly keys?: readonly string[] | undefined;
}

/** A job that may have been paid for. */
export interface JournalledJob {
  /** The name under which the service lists the job. */
  readonly name: string;
  /** Undefined if the job was about to be created. */
  readonly id?: string | undefined;
  /** The source file, relative to the root. */
  readonly file: string;
  /** The digest of the source file's bytes. */
  readonly digest: string;
  /** Canonical. */
  readonly locales: readonly string[];
}

const EMPTY: JournalContent = { segments: new Map(), lines: [], targets: [], jobs: [], scopes: [] };

/** Reads the journal; ignores an incomplete last line. Undefined if it is missing. */
export async function readJournal(path: string): Promise<JournalContent | undefined> {
  const handle = await openJournal(path, constants.O_RDONLY);
  return handle && closing(handle, async () => parseJournal(await handle.readFile('utf8')));
}

/** Whether the journal has the translation of a segment. */
export function isJournalled(
  { segments }: JournalContent,
  engine: string,
  source: string,
  target: string,
  tagged: string,
): boolean {
  return segments.has(segmentKey(engine, source, target, tagged));
}

export function parseJournal(text: string): JournalContent {
  const segments = new Map<string, string>();
  const lines = new Map<string, LockLine[]>();
  const targets: string[] = [];
  const jobs = new Map<string, JournalledJob>();
  const scopes: JournalScope[] = [];
  // The text after the last line end is an incomplete line.
  for (const line of text.split('\n').slice(0, -1)) {
    // Work in damaged lines is repeated.
    const entry = parseObject(line) ?? {};
    for (const pair of asArray(entry['segments'])) {
      const [key, translation]: readonly unknown[] = asArray(pair);
      if (typeof key === 'string' && typeof translation === 'string') segments.set(key, translation);
    }
    if (typeof entry['target'] === 'string') targets.push(entry['target']);
    const job = parseJob(entry['job']);
    if (job) jobs.set(job.name, job);
    const { scope, settled } = entry;
    if (isObject(scope)) scopes.push(parseScope(scope));
    const { file, locale, keys } = isObject(settled) ? settled : {};
    for (const key of asStrings(keys)) lines.delete(keyOf(String(file), String(locale), key));
    for (const lockLine of asArray(entry['lines'])) {
      const parsed = typeof lockLine === 'string' ? parseLine(lockLine) : undefined;
      if (!parsed) continue;
      addTo(lines, keyOf(parsed.file, parsed.locale, parsed.key), parsed);
    }
  }
  return { segments, lines: [...lines.values()].flat(), targets, jobs: [...jobs.values()], scopes };
}

function keyOf(file: string, locale: string, key: string): string {
  return `${file}\t${locale}\t${key}`;
}

function parseJob(value: unknown): JournalledJob | undefined {
  const { name, id, file, digest, locales } = isObject(value) ? value : {};
  if (typeof name !== 'string' || typeof file !== 'string' || typeof digest !== 'string') return undefined;
  return { name, file, digest, locales: asStrings(locales), ...(typeof id === 'string' && { id }) };
}

function parseScope(fields: JsonObject): JournalScope {
  const { paths, targets, keys } = fields;
  return {
    paths: asStrings(paths),
    targets: asStrings(targets),
    ...(keys !== undefined && { keys: asStrings(keys) }),
  };
}

/** Whether a run covers another one's scope, and therefore writes the other's paid work to files. */
function coversScope(own: JournalScope, other: JournalScope): boolean {
  const isInside = (path: string): boolean =>
    own.paths.some((outer) => outer === '' || path === outer || path.startsWith(`${outer}/`));
  return (
    other.paths.every(isInside) &&
    other.targets.every((target) => own.targets.includes(target)) &&
    (own.keys === undefined || JSON.stringify(own.keys) === JSON.stringify(other.keys))
  );
}

/** An open journal. The code that opens it closes or finishes it. */
export class Journal implements SegmentJournal {
  /** The content that an earlier run left. */
  readonly left: JournalContent;
  readonly #scope: JournalScope | undefined;
  /** Whether the scope has been written, or is being written. A run that adds nothing leaves no trace. */
  #isNoted = false;
  readonly #path: string;
  readonly #handle: FileHandle;
  /** The segments of this run, by engine and languages: hashing each for a search takes longer than the search. */
  readonly #own = new Map<string, Map<string, string>>();
  #size: number;
  #waiting = '';
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(
    path: string,
    handle: FileHandle,
    size: number,
    left: JournalContent,
    scope: JournalScope | undefined,
  ) {
    this.#scope = scope;
    this.#size = size;
    this.#path = path;
    this.#handle = handle;
    this.left = left;
  }

  /** The directory must exist. @throws DragomanError `unwritable_output` if the journal cannot be created */
  static async open(path: string, scope?: JournalScope): Promise<Journal> {
    const handle = await openJournal(path, constants.O_RDWR | constants.O_CREAT);
    if (!handle) throw new DragomanError('unwritable_output', `cannot write ${path}`);
    try {
      const bytes = await handle.readFile();
      // Appending to an incomplete last line would make the next line unreadable too.
      const whole = bytes.lastIndexOf(10) + 1;
      await handle.truncate(whole);
      const left = bytes.length === 0 ? EMPTY : parseJournal(bytes.subarray(0, whole).toString('utf8'));
      return new Journal(path, handle, whole, left, scope);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Whether this run covers the scopes of all runs that left work. */
  get coversLeft(): boolean {
    const scope = this.#scope;
    return scope === undefined || this.left.scopes.every((other) => coversScope(scope, other));
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  get(engine: string, source: string, target: string, tagged: string): string | undefined {
    const own = this.#own.get(`${engine} ${source} ${target}`)?.get(tagged);
    if (own !== undefined || this.left.segments.size === 0) return own;
    return this.left.segments.get(segmentKey(engine, source, target, tagged));
  }

  async put(entries: readonly SegmentEntry[]): Promise<void> {
    const fresh = entries.flatMap(({ engine, source, target, tagged, translation }) => {
      if (this.get(engine, source, target, tagged) === translation) return [];
      const name = `${engine} ${source} ${target}`;
      this.#own.set(name, (this.#own.get(name) ?? new Map<string, string>()).set(tagged, translation));
      return [[segmentKey(engine, source, target, tagged), translation]];
    });
    if (fresh.length > 0) await this.#append({ segments: fresh });
  }

  /**
   * Records that `target` will be written, with the lock lines that will then be true. Resolves when the record is on
   * disk.
   */
  async intend(target: string, lines: readonly LockLine[]): Promise<void> {
    await this.#append({ target, lines: lines.map(serializeLine) });
  }

  /**
   * Replaces all earlier intentions for these keys with these lines. Call it with lines before the lock has them, and
   * without lines afterwards. Resolves when the record is on disk.
   */
  async settle(
    {
      file,
      locale,
      keys,
    }: { readonly file: string; readonly locale: string; readonly keys: readonly LockKey[] },
    lines: readonly LockLine[],
  ): Promise<void> {
    await this.#append({ settled: { file, locale, keys }, lines: lines.map(serializeLine) });
  }

  /** Records a job that is about to be created, or was created. Resolves when the record is on disk. */
  async noteJob(job: JournalledJob): Promise<void> {
    await this.#append({ job });
  }

  /** Closes the journal, and deletes it if it is empty. */
  async close(): Promise<void> {
    await (this.#next ?? this.#writing).catch(() => undefined);
    await this.#handle.close();
    if (this.#size === 0) await rm(this.#path, { force: true });
  }

  /** Closes and deletes the journal, because everything is in the files and the lock. */
  async finish(): Promise<void> {
    await this.close();
    await rm(this.#path, { force: true });
  }

  async #append(entry: object): Promise<void> {
    if (this.#scope && !this.#isNoted) this.#waiting += `${JSON.stringify({ scope: this.#scope })}\n`;
    this.#isNoted = true;
    this.#waiting += `${JSON.stringify(entry)}\n`;
    // Entries added while a write is in progress share the next write, so each waits for two writes at most.
    this.#next ??= this.#writing.catch(() => undefined).then(() => this.#flush());
    await this.#next;
  }

  async #flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    this.#writing = this.#next ?? this.#writing;
    this.#next = undefined;
    try {
      const bytes = Buffer.from(text);
      await this.#handle.write(bytes, 0, bytes.length, this.#size);
      await this.#handle.datasync();
      this.#size += bytes.length;
    } catch (error) {
      throw systemError('unwritable_output', `write ${this.#path}`, error);
    }
  }
}

async function openJournal(path: string, flags: number): Promise<FileHandle | undefined> {
  try {
    // Never follows a link, because a repository must not choose the file that is appended to.
    const handle = await open(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), 0o600);
    await requireJournal(handle, path);
    return handle;
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw systemError('unwritable_output', `open ${path}`, error);
  }
}

/** More than any real run needs; the file is read into memory. */
const MAX_BYTES = 256 * 1024 * 1024;

async function requireJournal(handle: FileHandle, path: string): Promise<void> {
  const stats = await handle.stat();
  if (stats.isFile() && stats.size <= MAX_BYTES) return;
  await handle.close();
  throw stats.isFile()
    ? new DragomanError('limit_exceeded', 'the journal has more than 256 MiB').inFile(path)
    : new DragomanError('not_a_file', `cannot open ${path}: it is not a regular file`, {
        hint: 'Remove it, or move it elsewhere.',
      });
}

function segmentKey(engine: string, source: string, target: string, tagged: string): string {
  return hash('sha256', JSON.stringify([engine, source, target, tagged]), 'hex').slice(0, 32);
}

function asStrings(value: unknown): readonly string[] {
  return asArray(value).filter((item) => typeof item === 'string');
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The journal of a project, in the user's state directory: a checkout cannot contain one, and two checkouts of a
 * project have separate ones.
 *
 * @param root absolute, links resolved
 */
export function journalPath(root: string, stateDirectory: string): string {
  return join(stateDirectory, 'projects', hash('sha256', root, 'hex').slice(0, 32), 'journal');
}

/**
 * Opens the journal; the caller closes or finishes it. @throws DragomanError `unwritable_output` if it cannot be
 * created
 */
export async function openProjectJournal(
  root: string,
  stateDirectory: string | undefined,
  scope: JournalScope,
): Promise<Journal> {
  if (stateDirectory === undefined) {
    throw new DragomanError('unwritable_output', 'there is no directory for the journal of the run', {
      hint: 'Set HOME or XDG_STATE_HOME to a writable directory.',
    });
  }
  const path = journalPath(root, stateDirectory);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw systemError(
      'unwritable_output',
      `create ${dirname(path)}`,
      error,
      'Make it writable, or set XDG_STATE_HOME to another directory.',
    );
  }
  return Journal.open(path, scope);
}
