import { open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { systemError } from '../../base/system-error.ts';

/** A kind of file that a command writes besides its main result. */
export interface ReplaceableKind {
  readonly name: 'report' | 'badge';
  /** ASCII text with which every such file starts. */
  readonly marker: string;
  /** An example of the option that requests the file. */
  readonly example: string;
}

/**
 * The absolute output path of such a file. Only a file of the same kind is replaced, so a mistyped name destroys
 * nothing.
 *
 * @throws DragomanError `usage` for an impossible path, or an existing file of another kind
 */
export async function requireReplaceable(path: string, cwd: string, kind: ReplaceableKind): Promise<string> {
  const { name, marker, example } = kind;
  const usage = (message: string, hint: string): DragomanError =>
    new DragomanError('usage', message, { hint });
  if (path === '' || path === '-')
    throw usage(`a ${name} cannot go to standard output`, `Name a file: ${example}`);
  const absolute = resolve(cwd, path);
  if (typeAt(dirname(absolute)) !== 'directory') {
    throw usage(
      `there is no directory ${dirname(absolute)} for the ${name}`,
      'Create it, or name another one.',
    );
  }
  const present = await stat(absolute).catch(() => undefined);
  if (!present) return absolute;
  if (!present.isFile()) throw usage(`${path} is not a regular file`, `Name a file: ${example}`);
  if (present.size > 0 && !(await beginsWith(absolute, marker))) {
    throw usage(
      `${path} is not a ${name} of dragoman, so it was left unchanged`,
      'Name another file, or remove this one.',
    );
  }
  return absolute;
}

async function beginsWith(path: string, marker: string): Promise<boolean> {
  try {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(marker.length) });
      return buffer.toString('latin1', 0, bytesRead) === marker;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw systemError('unwritable_output', `access ${path}`, error);
  }
}
