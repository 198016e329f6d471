import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { DragomanError, type ErrorCode } from './errors.ts';
import { realPathAt } from './file-facts.ts';
import { isInside } from './inside.ts';
import { reasonOf } from './system-error.ts';

export interface BoundedReadOptions {
  /** More bytes than this are refused, before they are read where the size says so. */
  readonly limit: number;
  /** The code if it cannot be read; default: `unreadable_input`, and `not_a_file` if it is not a regular file. */
  readonly code?: ErrorCode | undefined;
  /** A directory: the file has to lie in it when every link is followed. */
  readonly inside?: string | undefined;
}

/** Opening a FIFO does not wait for somebody who writes, and opening a terminal does not make it this process's. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const CHUNK = 64 * 1024;

/**
 * The bytes of a regular file. What is open is looked at, not what the path named before: no FIFO, device or directory is
 * read, and of a file that grows, or has no size of its own, never more than the limit.
 *
 * @throws DragomanError with the file's name: `not_a_file`, `unreadable_input` or what `code` says, `limit_exceeded`
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

/** As {@link readBounded}; undefined if the file does not exist. */
export async function readIfThere(path: string, options: BoundedReadOptions): Promise<Buffer | undefined> {
  try {
    return await readBounded(path, options);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export interface SyncReadOptions {
  /** More bytes than this are refused, before they are read where the size says so. */
  readonly limit: number;
  /** A symbolic link is an error of the system, ELOOP, instead of being followed. */
  readonly refusesLinks?: boolean | undefined;
  /** Where the bytes of files that fit into it go, instead of a new buffer for each of thousands. */
  readonly buffer?: Buffer | undefined;
}

/** As {@link readBounded}, without a turn of the event loop: for many small files. */
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

/** As {@link readBounded}, a piece at a time, for content that memory should not hold. */
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

/** The bytes of another source, to the end or the limit. @throws DragomanError `integrity` for more. */
export async function* takeAtMost(
  content: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const piece of content) {
    total += piece.length;
    if (total > limit) throw new DragomanError('integrity', `a stored file has more than ${limit} bytes`);
    yield piece;
  }
}

/** Certificates, keys and secrets: a system's whole collection of certificates has a quarter of it. */
const MAX_PEM = 1024 * 1024;

/** The text of a small file that a user named. @throws DragomanError as {@link readBounded}. */
export async function readSmallText(path: string): Promise<string> {
  return (await readBounded(path, { limit: MAX_PEM })).toString('utf8');
}

/** Whether a file could not be read because there is none. */
export function isMissing(error: unknown): boolean {
  const cause = error instanceof DragomanError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

/** The opener closes it. */
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

/** The file that is open, and not one that took its place meanwhile. */
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

/** What the system cannot open as a file: a socket, a device without a driver, on Windows a directory. */
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

/** The bytes of a file as they come: one piece for a file that stays as large as it says. */
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
    // One byte more than it has: where that stays free, all was read at once.
    const fits = buffer !== undefined && size < buffer.length;
    this.#current = fits ? buffer : Buffer.allocUnsafe(size === 0 ? CHUNK : size + 1);
  }

  /** Where to read to. */
  room(): Buffer {
    if (this.#filled === this.#current.length) {
      this.#full.push(this.#current);
      this.#current = Buffer.allocUnsafe(CHUNK);
      this.#filled = 0;
    }
    return this.#current.subarray(this.#filled);
  }

  /** Whether there may be more. */
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
