import { DragomanError, type ErrorCode } from './errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EAGAIN: 'no data is available',
};

/** The operating system's error in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

/** The error for an operation that the system refused, such as `write app.json`. */
export function systemError(code: ErrorCode, what: string, cause: unknown, hint?: string): DragomanError {
  return new DragomanError(code, `cannot ${what}: ${reasonOf(cause)}`, { cause, hint });
}
