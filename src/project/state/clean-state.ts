import { hash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownTemporaryPath, removeAbandoned } from '../../base/atomic-file.ts';
import { cacheDirectory } from '../../base/user-directories.ts';
import { digestOf, type Digest } from '../../base/digest.ts';
import { isObject, parseObject } from '../../base/json.ts';
import { TRANSLATION_STATES } from '../../formats/format.ts';
import { sourceFiles } from '../discover/resource.ts';
import { LOCK_NAME } from './lock.ts';
import { resourcesOf, type Project } from './project.ts';
import { addTexts, countTexts, REVIEW_REASONS, type TextCounts } from './text-counts.ts';

/** The counts of a file without work. */
export interface CleanCounts extends TextCounts {
  readonly keys: number;
  readonly review: number;
  readonly edited: number;
  readonly unknown: number;
}

export function addCounts(a: CleanCounts | undefined, b: CleanCounts): CleanCounts {
  if (!a) return b;
  return {
    keys: a.keys + b.keys,
    review: a.review + b.review,
    edited: a.edited + b.edited,
    unknown: a.unknown + b.unknown,
    ...addTexts(a, b),
  };
}

/** The cached counts. */
export type CountList = readonly number[];

export function listCounts({ keys, review, edited, unknown, states, flags }: CleanCounts): CountList {
  const inStates = TRANSLATION_STATES.map((state) => states[state]);
  return [keys, review, edited, unknown, ...inStates, ...REVIEW_REASONS.map((reason) => flags[reason])];
}

/** @returns undefined for an invalid list of counts */
export function readCounts(list: readonly unknown[]): CleanCounts | undefined {
  const [keys = 0, review = 0, edited = 0, unknown = 0, ...texts] = list.filter(isCount);
  const [states, all] = [TRANSLATION_STATES.length, TRANSLATION_STATES.length + REVIEW_REASONS.length];
  if (list.some((count) => !isCount(count)) || texts.length !== all) return undefined;
  const counted = countTexts(
    (state) => texts[TRANSLATION_STATES.indexOf(state)] ?? 0,
    (reason) => texts[states + REVIEW_REASONS.indexOf(reason)] ?? 0,
  );
  return { keys, review, edited, unknown, ...counted };
}

/** The notes about an unchanged file. */
interface CleanNote {
  readonly place?: string | undefined;
  readonly text: string;
}

/** The record of an unchanged file. */
export interface CleanFindings extends CleanCounts {
  /** Default: none. */
  readonly notes?: readonly CleanNote[] | undefined;
}

/** A target without work. */
export interface CleanFile extends CleanFindings {
  /** A digest of the source, its lock lines, and everything else that the target was compared with. */
  readonly basis: Digest;
  /** A digest of the target. */
  readonly digest: Digest;
}

/** A project without work. */
export interface WholeState {
  /** A digest of the lock and all files. */
  readonly digest: Digest;
  readonly languages: readonly (readonly [locale: string, ...counts: CountList])[];
}

/** A digest of the lock and all files of a project, in order. */
export function digestWhole(project: Project, digestAt: (path: string) => Digest | undefined): Digest {
  const parts: string[] = [];
  const add = (path: string): void => void parts.push(path, digestAt(path) ?? '');
  add(LOCK_NAME);
  for (const resource of project.resources) for (const path of sourceFiles(resource)) add(path);
  for (const locale of project.targets) {
    // Some files contain all languages.
    parts.push(locale);
    for (const resource of resourcesOf(project, locale)) add(resource.targetPath(locale));
  }
  return digestOf(parts.join('\n'));
}

/**
 * The targets in which an earlier run found no work, with digests of everything that it read (content, not dates).
 * While all digests match, the result would be the same. The cache only saves work, so failing to read or write it is
 * not an error.
 */
export class CleanState {
  readonly #path: string | undefined;
  readonly #settings: Digest;
  #whole: WholeState | undefined;
  /** The rest of the cache, parsed only when needed. */
  #unread = '';
  #files = new Map<string, CleanFile>();
  #lines: ReadonlySet<Digest> = new Set();
  #isChanged = false;

  private constructor(path: string | undefined, settings: Digest) {
    this.#path = path;
    this.#settings = settings;
  }

  /**
   * @param settings everything that comparisons depend on apart from the files and the lock
   * @param directory default: the user's cache directory
   */
  static async open(root: string, settings: string, directory = cacheDirectory()): Promise<CleanState> {
    const name = `${hash('sha256', root, 'hex').slice(0, 32)}.json`;
    const path = directory === undefined ? undefined : join(directory, 'clean', name);
    const state = new CleanState(path, digestOf(settings));
    if (path !== undefined) await state.#read(path);
    return state;
  }

  /** The state of a whole project without work; undefined if there was work. */
  get whole(): WholeState | undefined {
    return this.#whole;
  }

  find(target: string): CleanFile | undefined {
    this.#readFiles();
    return this.#files.get(target);
  }

  /** @param file undefined if the target needs work */
  note(target: string, file: CleanFile | undefined): void {
    const known = this.find(target);
    if (file) {
      if (known && isSame(known, file)) return;
      this.#files.set(target, file);
    } else if (!this.#files.delete(target)) return;
    this.#isChanged = true;
  }

  /** Whether an earlier run validated lock lines with this digest. */
  knowsLines(lines: Digest): boolean {
    this.#readFiles();
    return this.#lines.has(lines);
  }

  /**
   * Writes the clean state if it has changed.
   *
   * @param lines digests of the lock's lines, file by file
   * @param whole undefined if any work is left
   */
  async save(lines: Iterable<Digest>, whole: WholeState | undefined): Promise<void> {
    this.#readFiles();
    const checked = new Set(lines);
    const isNew =
      whole?.digest !== this.#whole?.digest ||
      checked.size !== this.#lines.size ||
      [...checked].some((digest) => !this.#lines.has(digest));
    if (this.#path === undefined || !(this.#isChanged || isNew)) return;
    this.#lines = checked;
    this.#whole = whole;
    const files = [...this.#files].map(([path, file]) => [
      path,
      [file.basis, file.digest, ...listCounts(file), ...(file.notes ? [file.notes] : [])],
    ]);
    const head = JSON.stringify({ settings: this.#settings, whole });
    const rest = JSON.stringify({ lines: [...checked], files: Object.fromEntries(files) });
    const temporary = ownTemporaryPath(this.#path);
    try {
      await mkdir(join(this.#path, '..'), { recursive: true, mode: 0o700 });
      await removeAbandoned(this.#path);
      await writeFile(temporary, `${head}\n${rest}`, { mode: 0o600 });
      await rename(temporary, this.#path);
      this.#isChanged = false;
    } catch {
      // The cache only saves time.
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  /** The first line shows whether the rest is useful, and most runs need only that line. */
  async #read(path: string): Promise<void> {
    const text = await readFile(path, 'utf8').catch(() => '');
    const end = text.indexOf('\n');
    const { settings, whole } = parseObject(text.slice(0, Math.max(0, end))) ?? {};
    if (settings !== this.#settings) return;
    this.#whole = readWhole(whole);
    this.#unread = text.slice(end + 1);
  }

  #readFiles(): void {
    if (this.#unread === '') return;
    const { lines, files } = parseObject(this.#unread) ?? {};
    this.#unread = '';
    if (Array.isArray(lines)) this.#lines = new Set(lines.filter((digest) => typeof digest === 'string'));
    for (const [target, entry] of Object.entries(isObject(files) ? files : {})) {
      const file = readEntry(entry);
      if (file) this.#files.set(target, file);
    }
  }
}

function readWhole(value: unknown): WholeState | undefined {
  const { digest, languages } = isObject(value) ? value : {};
  if (typeof digest !== 'string' || !Array.isArray(languages)) return undefined;
  const read = languages.map((entry: unknown) => {
    const [locale, ...counts]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    const read = readCounts(counts);
    return typeof locale === 'string' && read ? ([locale, ...listCounts(read)] as const) : undefined;
  });
  const complete = read.filter((language) => language !== undefined);
  return complete.length === read.length ? { digest, languages: complete } : undefined;
}

function readEntry(entry: unknown): CleanFile | undefined {
  if (!Array.isArray(entry)) return undefined;
  const [basis, digest, ...list]: readonly unknown[] = entry;
  const last = list.at(-1);
  const notes = Array.isArray(last) ? last.filter(isNote) : undefined;
  const counts = readCounts(notes ? list.slice(0, -1) : list);
  if (typeof basis !== 'string' || typeof digest !== 'string' || !counts) return undefined;
  return { basis, digest, ...counts, ...(notes && { notes }) };
}

function isNote(value: unknown): value is CleanNote {
  const { place, text } = isObject(value) ? value : {};
  return typeof text === 'string' && (place === undefined || typeof place === 'string');
}

function isSame(a: CleanFile, b: CleanFile): boolean {
  const idOf = (file: CleanFile): string => JSON.stringify([listCounts(file), file.notes]);
  return a.basis === b.basis && a.digest === b.digest && idOf(a) === idOf(b);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
