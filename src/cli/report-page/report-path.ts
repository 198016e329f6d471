import { open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { MARKER } from './page.ts';

/**
 * Where a report is to be written, absolute. Only a report is replaced by one: a name that was mistyped costs nobody a
 * file.
 *
 * @throws DragomanError `usage` for a path where no report can be, or where something else is.
 */
export async function requireReportPath(path: string, cwd: string): Promise<string> {
  const usage = (message: string, hint: string): DragomanError =>
    new DragomanError('usage', message, { hint });
  if (path === '' || path === '-')
    throw usage('a report is a file, not standard output', 'Name a file: --report out.html');
  const absolute = resolve(cwd, path);
  const directory = await stat(dirname(absolute)).catch(() => undefined);
  if (!directory?.isDirectory()) {
    throw usage(
      `there is no directory ${dirname(absolute)} for the report`,
      'Create it, or name another one.',
    );
  }
  const present = await stat(absolute).catch(() => undefined);
  if (!present) return absolute;
  if (!present.isFile()) throw usage(`${path} is not a regular file`, 'Name a file: --report out.html');
  if (present.size > 0 && !(await isReport(absolute))) {
    throw usage(
      `${path} is not a report of dragoman, and is not overwritten`,
      'Name another file, or remove this one.',
    );
  }
  return absolute;
}

async function isReport(path: string): Promise<boolean> {
  try {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(MARKER.length) });
      return buffer.toString('latin1', 0, bytesRead) === MARKER;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new DragomanError('unwritable_output', `cannot look at ${path}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
