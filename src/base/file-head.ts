import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The beginning of a file. */
export interface FileHead {
  /** Decoded as UTF-8, with U+FFFD for invalid bytes. */
  readonly text: string;
  /** Whether the file ends here. */
  readonly isWhole: boolean;
}

/** Reads at most `limit` bytes of a regular file; undefined for anything else or an unreadable file. */
export function readHead(path: string, limit: number): FileHead | undefined {
  let descriptor: number | undefined;
  try {
    // A FIFO in place of a file must not block the program.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const info = fstatSync(descriptor);
    if (!info.isFile()) return undefined;
    const bytes = Buffer.allocUnsafe(Math.min(limit, info.size));
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    return { text: bytes.toString('utf8', 0, length), isWhole: info.size <= limit };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
