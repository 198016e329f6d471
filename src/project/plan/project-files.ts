import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { DragomanError } from '../../base/errors.ts';
import { isInside } from '../../base/inside.ts';
import { reasonOf } from '../../base/system-error.ts';
import { digestOf, type Digest } from '../state/digest.ts';

/** Larger inputs are refused before they are read: nothing people keep in repositories comes near. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads the files of a project: regular files below its root, whatever links lead to. Synchronously, because
 * asynchronous calls take several times as long for thousands of small files.
 */
export class ProjectFiles {
  readonly #root: string;
  /** Directories that are known to lie in the root. */
  readonly #own = new Set<string>();
  readonly #digests = new Map<string, Digest>();
  /** Most files fit into it: an allocation for each of thousands takes longer than reading them. */
  readonly #buffer = Buffer.allocUnsafe(256 * 1024);

  /** @param root absolute, links resolved */
  constructor(root: string) {
    this.#root = root;
  }

  /** @throws DragomanError `unreadable_input`, `limit_exceeded`, `configuration` for one outside of the root. */
  readSource(path: string): Uint8Array {
    const bytes = this.readTarget(path);
    if (bytes instanceof DragomanError) throw bytes;
    if (bytes) return Buffer.from(bytes);
    throw unreadable(`${this.#root}/${path}`, 'there is no such file');
  }

  /**
   * Undefined when there is no such file; an error where it must not or cannot be opened. The bytes are good until the
   * next call: whoever keeps them makes a copy.
   *
   * @throws DragomanError `unreadable_input`, `limit_exceeded` for what is no file, such as a directory or a device
   */
  readTarget(path: string): Uint8Array | DragomanError | undefined {
    const absolute = `${this.#root}/${path}`;
    const handle = this.#open(absolute);
    return typeof handle === 'number' ? this.#readWhole(handle, absolute) : handle;
  }

  /** Digests of files as they were when they were first read; undefined for one that is not there or not readable. */
  digestOf(path: string): Digest | undefined {
    const known = this.#digests.get(path);
    if (known !== undefined) return known;
    const bytes = this.readTarget(path);
    if (!bytes || bytes instanceof DragomanError) return undefined;
    const digest = digestOf(bytes);
    this.#digests.set(path, digest);
    return digest;
  }

  #open(path: string): number | DragomanError | undefined {
    try {
      this.#requireOwnDirectory(path.slice(0, path.lastIndexOf('/')));
      // A pipe must not make us wait, and a link is looked at before it is followed.
      return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return undefined;
      if (code === 'ELOOP') return this.#openLink(path);
      return error instanceof DragomanError ? error : unreadable(path, reasonOf(error), error);
    }
  }

  #openLink(link: string): number | DragomanError {
    try {
      const real = realpathSync.native(link);
      if (!isInside(this.#root, real)) return outside(link, this.#root);
      return openSync(real, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return unreadable(link, reasonOf(error), error);
      return new DragomanError('unreadable_input', `${link} is a symbolic link to a file that is not there`, {
        hint: 'Remove the link, or restore the file that it leads to.',
      });
    }
  }

  /** Thousands of files share a few directories. What is decided here is looked at again before a file is written. */
  #requireOwnDirectory(directory: string): void {
    if (this.#own.has(directory)) return;
    if (!isInside(this.#root, realpathSync.native(directory))) throw outside(directory, this.#root);
    this.#own.add(directory);
  }

  #readWhole(handle: number, path: string): Uint8Array {
    try {
      const info = fstatSync(handle);
      if (!info.isFile())
        throw unreadable(path, info.isDirectory() ? 'is a directory' : 'is not a regular file');
      if (info.size > MAX_BYTES) {
        const limit = MAX_BYTES / 1024 / 1024;
        throw new DragomanError('limit_exceeded', `the file has more than ${limit} MiB`).inFile(path);
      }
      const bytes = info.size < this.#buffer.length ? this.#buffer : Buffer.allocUnsafe(info.size);
      let length = 0;
      while (length < info.size) {
        const more = readSync(handle, bytes, length, info.size - length, length);
        if (more === 0) break;
        length += more;
      }
      return bytes.subarray(0, length);
    } finally {
      closeSync(handle);
    }
  }
}

function outside(path: string, root: string): DragomanError {
  return new DragomanError('configuration', `${path} leads out of ${root}`, {
    hint: 'Only files below the project directory are read and written; symbolic links must stay in it too.',
  });
}

function unreadable(path: string, reason: string, cause?: unknown): DragomanError {
  return new DragomanError('unreadable_input', `cannot read ${path}: ${reason}`, { cause });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
