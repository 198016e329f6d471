import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { DragomanError, type ErrorCode } from './errors.ts';
import { realPathAt } from './file-facts.ts';
import { isInside } from './inside.ts';
import { reasonOf } from './system-error.ts';

export interface BoundedReadOptions {
  /** Larger files are refused; if the size is known, before reading. */
  readonly limit: number;
  /**
   * The error code for an unreadable file; default: `unreadable_input`, or `not_a_file` if it is not a regular file.
   */
  readonly code?: ErrorCode | undefined;
  /** A directory that must contain the file after all links are resolved. */
  readonly inside?: string | undefined;
}

/** Opening a FIFO must not wait for a writer, and opening a terminal must not make it the controlling one. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const CHUNK = 64 * 1024;

/**
 * The bytes of a regular file. Checks the opened file, not the path, so that no FIFO, device or directory is read;
 * reads at most the limit, even if a file grows or has no size.
 *
 * @throws DragomanError with the file's name: `not_a_file`, `unreadable_input` or `code`, `limit_exceeded`
 */
export async function readBounded(path: string, options: BoundedReadOptions): Promise<Buffer> {
  const handle = await openRegular(path, options);
  try {
    const { size } = await handle.stat();
    requireSize(path, size, options.limit);
    const parts = new Parts(path, size, options.limit);
    let length: number;
    do {
      const buffer = parts.room();
      length = (await handle.read(buffer, 0, buffer.length, null)).bytesRead;
    } while (parts.add(length));
    return parts.all();
  } catch (error) {
    throw unreadable(path, error, options.code);
  } finally {
    await handle.close();
  }
}

/** Same as {@link readBounded}; undefined if the file does not exist. */
export async function readIfThere(path: string, options: BoundedReadOptions): Promise<Buffer | undefined> {
  try {
    return await readBounded(path, options);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export interface SyncReadOptions {
  /** Larger files are refused; if the size is known, before reading. */
  readonly limit: number;
  /** Fails for a symbolic link with the system's error ELOOP. */
  readonly refusesLinks?: boolean | undefined;
  /** A shared buffer for small files, because a run may read thousands of them. */
  readonly buffer?: Buffer | undefined;
}

/** Same as {@link readBounded}, synchronously, for many small files. */
export function readBoundedSync(
  path: string,
  { limit, refusesLinks = false, buffer }: SyncReadOptions,
): Buffer {
  let file: number;
  try {
    file = openSync(path, FLAGS | (refusesLinks ? (constants.O_NOFOLLOW ?? 0) : 0));
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    const stats = fstatSync(file);
    requireRegular(path, stats);
    requireSize(path, stats.size, limit);
    const parts = new Parts(path, stats.size, limit, buffer);
    let length: number;
    do {
      const room = parts.room();
      length = readSync(file, room, 0, room.length, null);
    } while (parts.add(length));
    return parts.all();
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    closeSync(file);
  }
}

/** Same as {@link readBounded}, in pieces, for content that is too large for memory. */
export async function* readChunks(path: string, options: BoundedReadOptions): AsyncGenerator<Buffer> {
  const handle = await openRegular(path, options);
  try {
    requireSize(path, (await handle.stat()).size, options.limit);
    let total = 0;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
      if (bytesRead === 0) return;
      requireSize(path, (total += bytesRead), options.limit);
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    throw unreadable(path, error, options.code);
  } finally {
    await handle.close();
  }
}

/**
 * The bytes of another source, up to the limit.
 *
 * @throws the error of `tooLong` for more; default: DragomanError `integrity`
 */
export async function* takeAtMost(
  content: AsyncIterable<Uint8Array>,
  limit: number,
  tooLong = (): Error => new DragomanError('integrity', `a stored file has more than ${limit} bytes`),
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const piece of content) {
    total += piece.length;
    if (total > limit) throw tooLong();
    yield piece;
  }
}

/** For certificates, keys and secrets: a system's complete certificate bundle is a quarter of this size. */
const MAX_PEM = 1024 * 1024;

/** The text of a small file that a user named. @throws DragomanError like {@link readBounded}. */
export async function readSmallText(path: string): Promise<string> {
  return (await readBounded(path, { limit: MAX_PEM })).toString('utf8');
}

/** Whether a file could not be read because it does not exist. */
export function isMissing(error: unknown): boolean {
  const cause = error instanceof DragomanError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

/** Opens a regular file, which the caller closes. */
async function openRegular(path: string, { code, inside }: BoundedReadOptions): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, FLAGS);
    const stats = await handle.stat();
    requireRegular(path, stats, code);
    if (inside !== undefined) await requireOpenInside(inside, path, stats);
    return handle;
  } catch (error) {
    await handle?.close();
    throw unreadable(path, error, code);
  }
}

function requireRegular(path: string, stats: Stats, code?: ErrorCode): void {
  if (!stats.isFile())
    throw notAFile(path, stats.isDirectory() ? 'is a directory' : 'is not a regular file', code);
}

/** Checks the opened file instead of the path, whose file may have been replaced meanwhile. */
async function requireOpenInside(directory: string, path: string, { dev, ino }: Stats): Promise<void> {
  const real = realPathAt(path);
  const now = await stat(real);
  if (isInside(realPathAt(directory), real) && now.dev === dev && now.ino === ino) return;
  throw new DragomanError('configuration', `${path} leads out of ${directory}`, {
    hint: 'Only files below the project directory are read; symbolic links must stay in it too.',
  });
}

function requireSize(path: string, size: number, limit: number): void {
  if (size <= limit) return;
  const most = limit >= 1024 * 1024 ? `${limit / 1024 / 1024} MiB` : `${limit} bytes`;
  throw new DragomanError('limit_exceeded', `the file has more than ${most}`).inFile(path);
}

/** Errors for objects that cannot be opened as files: a socket, a device without a driver, a directory on Windows. */
const NO_FILES: ReadonlySet<unknown> = new Set(['ENXIO', 'ENODEV', 'EISDIR']);

function unreadable(path: string, error: unknown, code?: ErrorCode): DragomanError {
  if (error instanceof DragomanError) return error;
  if (error instanceof Error && 'code' in error && NO_FILES.has(error.code)) {
    return notAFile(path, error.code === 'EISDIR' ? 'is a directory' : 'is not a regular file', code, error);
  }
  return new DragomanError(code ?? 'unreadable_input', `cannot read ${path}: ${reasonOf(error)}`, {
    cause: error,
  });
}

function notAFile(
  path: string,
  reason: string,
  code: ErrorCode = 'not_a_file',
  cause?: unknown,
): DragomanError {
  return new DragomanError(code, `cannot read ${path}: ${reason}`, {
    hint: 'Put a regular file in its place, or leave it out.',
    cause,
  });
}

/** Collects the bytes of a file: in one piece if its size does not change. */
class Parts {
  readonly #path: string;
  readonly #size: number;
  readonly #limit: number;
  readonly #full: Buffer[] = [];
  #current: Buffer;
  #filled = 0;
  #total = 0;

  constructor(path: string, size: number, limit: number, buffer?: Buffer) {
    this.#path = path;
    this.#size = size;
    this.#limit = limit;
    // One byte more than its size: if it stays unused, the whole file was read.
    const fits = buffer !== undefined && size < buffer.length;
    this.#current = fits ? buffer : Buffer.allocUnsafe(size === 0 ? CHUNK : size + 1);
  }

  /** The buffer for the next read. */
  room(): Buffer {
    if (this.#filled === this.#current.length) {
      this.#full.push(this.#current);
      this.#current = Buffer.allocUnsafe(CHUNK);
      this.#filled = 0;
    }
    return this.#current.subarray(this.#filled);
  }

  /** Adds the bytes of a read. Returns whether the file may have more. */
  add(length: number): boolean {
    this.#filled += length;
    this.#total += length;
    requireSize(this.#path, this.#total, this.#limit);
    const isWhole = this.#size > 0 && this.#total >= this.#size && this.#filled < this.#current.length;
    return length > 0 && !isWhole;
  }

  all(): Buffer {
    const last = this.#current.subarray(0, this.#filled);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last]);
  }
}
