import { lstatSync, statSync, type BigIntStats } from 'node:fs';
import { relative, sep } from 'node:path';
import { isMissing, readBoundedSync } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { realPathAt } from '../../base/file-facts.ts';
import { isInside, reservedSegment } from '../../base/inside.ts';
import { reasonOf } from '../../base/system-error.ts';
import { requireLocalizationName } from '../discover/localization-path.ts';
import { MAX_INPUT_BYTES } from '../../documents/localization/open-file.ts';
import { digestOf, type Digest } from '../../base/digest.ts';

/**
 * Reads the files of a project: regular files below its root, including those reached through links that stay below it.
 * Synchronous, because asynchronous calls take several times as long for thousands of small files.
 */
export class ProjectFiles {
  readonly #root: string;
  /** Directories that are known to be inside the root. */
  readonly #own = new Set<string>();
  readonly #digests = new Map<string, Digest>();
  /**
   * Large enough for most files. Allocating a buffer for each of thousands of files would take longer than reading
   * them.
   */
  readonly #reading = { limit: MAX_INPUT_BYTES, buffer: Buffer.allocUnsafe(256 * 1024) };

  /** Large files, which are kept because each of their languages may request them. */
  readonly #large = new Set<string>();
  /** The file that was read last. */
  #kept: { readonly path: string; readonly stamp: string; readonly bytes: Uint8Array } | undefined;

  /** @param root absolute, links resolved */
  constructor(root: string) {
    this.#root = root;
  }

  /** @throws DragomanError like `readBounded`, and `configuration` for a file outside the root */
  readSource(path: string): Uint8Array {
    const bytes = this.readOwn(path);
    if (bytes instanceof DragomanError) throw bytes;
    if (bytes) return bytes;
    throw new DragomanError('unreadable_input', `cannot read ${this.#root}/${path}: there is no such file`);
  }

  /**
   * Undefined for a missing file; throws if the file must not be opened. The bytes are valid until the next call; copy
   * them to keep them.
   *
   * @throws DragomanError `not_a_file`, `limit_exceeded`, `configuration` for problems that end the run
   */
  readTarget(path: string): Uint8Array | DragomanError | undefined {
    if (!this.#large.has(path)) {
      const bytes = this.#readTarget(path);
      if (bytes instanceof Uint8Array && bytes.length >= LARGE) this.#large.add(path);
      return bytes;
    }
    // Taken before reading, so that a concurrent write results in a different stamp.
    const stamp = stampOf(`${this.#root}/${path}`);
    if (stamp !== undefined && this.#kept?.path === path && this.#kept.stamp === stamp)
      return this.#kept.bytes;
    const bytes = this.#readTarget(path);
    const isKept = stamp !== undefined && bytes instanceof Uint8Array && bytes.length >= LARGE;
    this.#kept = isKept ? { path, stamp, bytes } : undefined;
    return bytes;
  }

  /** Like {@link readTarget}, but the bytes stay valid. */
  readOwn(path: string): Uint8Array | DragomanError | undefined {
    const bytes = this.readTarget(path);
    return bytes instanceof Uint8Array && bytes.length < LARGE ? Buffer.from(bytes) : bytes;
  }

  #readTarget(path: string): Uint8Array | DragomanError | undefined {
    const absolute = `${this.#root}/${path}`;
    try {
      this.#requireOwnDirectory(absolute.slice(0, absolute.lastIndexOf('/')));
      return readBoundedSync(absolute, { ...this.#reading, refusesLinks: true });
    } catch (error) {
      if (isMissing(error)) return undefined;
      return isLink(error) ? this.#readLink(absolute) : dataOf(error, absolute);
    }
  }

  /** @throws DragomanError if a directory, device or the like has the name of a file */
  requireFile(path: string): void {
    const info = statSync(`${this.#root}/${path}`, { throwIfNoEntry: false });
    const found = info && !info.isFile() ? this.readTarget(path) : undefined;
    if (found instanceof DragomanError) throw found;
  }

  /** The digest of a file when it was first read; undefined if it is missing or unreadable. */
  digestOf(path: string): Digest | undefined {
    const known = this.#digests.get(path);
    if (known !== undefined) return known;
    const bytes = this.readTarget(path);
    if (bytes === undefined || bytes instanceof DragomanError) return undefined;
    const digest = digestOf(bytes);
    this.#digests.set(path, digest);
    return digest;
  }

  #readLink(link: string): Uint8Array | DragomanError {
    try {
      const real = realPathAt(link);
      requireLocalizationName(this.#requireOwn(real, link), link, link, 'configuration');
      return readBoundedSync(link, this.#reading);
    } catch (error) {
      if (!isMissing(error)) return dataOf(error, link);
      const message = `${link} is a symbolic link to a file that does not exist`;
      const hint = 'Remove the link, or restore the file that it leads to.';
      return new DragomanError('unreadable_input', message, { hint });
    }
  }

  /** Cached, because thousands of files share a few directories. Before a write, the directory is checked again. */
  #requireOwnDirectory(directory: string): void {
    if (this.#own.has(directory)) return;
    this.#requireOwn(realPathAt(directory), directory);
    this.#own.add(directory);
  }

  /** @returns the real path relative to the root, with slashes */
  #requireOwn(real: string, path: string): string {
    if (!isInside(this.#root, real)) throw outside(path, this.#root);
    const own = relative(this.#root, real).split(sep).join('/');
    if (reservedSegment(own) !== undefined) throw outside(path, this.#root);
    return own;
  }
}

/** In bytes. Smaller files may be in the shared buffer. */
const LARGE = 1 << 20;

/** Changes whenever a regular file is written; undefined for other files. */
function stampOf(path: string): string | undefined {
  let stats: BigIntStats;
  try {
    stats = lstatSync(path, { bigint: true });
  } catch {
    // Reading it reports the error.
    return undefined;
  }
  if (!stats.isFile()) return undefined;
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}

/** @throws errors that concern more than one file, and errors other than DragomanErrors */
function dataOf(error: unknown, path: string): DragomanError {
  if (!(error instanceof DragomanError)) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const message = `cannot read ${path}: ${reasonOf(error)}`;
    return new DragomanError('unreadable_input', message, { cause: error });
  }
  if (error.code !== 'unreadable_input') throw error;
  return error;
}

function isLink(error: unknown): boolean {
  const cause = error instanceof DragomanError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ELOOP';
}

function outside(path: string, root: string): DragomanError {
  return new DragomanError('configuration', `${path} leads out of the files of ${root}`, {
    hint: 'Only files below the project directory are read and written, except hidden ones and those in node_modules; symbolic links must stay there too.',
  });
}
