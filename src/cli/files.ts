import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DragomanError } from '../base/errors.ts';

/**
 * Absolute paths of the files that arguments name, in their order, each once. A pattern (`'locales/*.json'`) is expanded here for shells that
 * do not; a file that exists under the very name is that file.
 *
 * @throws DragomanError `usage` for a pattern that matches nothing.
 */
export async function expandFiles(args: readonly string[], cwd: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const argument of args) {
    const path = resolve(cwd, argument);
    if (!/[*?[{]/.test(argument) || (await exists(path))) paths.push(path);
    else paths.push(...(await expand(argument, cwd)));
  }
  return [...new Set(paths)];
}

async function expand(pattern: string, cwd: string): Promise<readonly string[]> {
  const { default: glob } = await import('fast-glob');
  const found = await glob(pattern, { cwd, absolute: true, onlyFiles: true, followSymbolicLinks: false });
  if (found.length === 0) throw new DragomanError('usage', `no file matches ${pattern}`);
  return found.sort();
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
