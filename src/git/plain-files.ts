import type { Dirent } from 'node:fs';
import { join, resolve } from 'node:path';
import { readIfThere } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import { listAt, realPathAt, typeAt } from '../base/file-facts.ts';
import { throwIfAborted } from '../base/interruption.ts';
import type { WorkTree } from './work-tree.ts';

/** Directories of nested repositories and other programs, which our git calls never read. */
const FOREIGN: ReadonlySet<string> = new Set(['modules', 'worktrees', 'lfs', 'annex']);

const MAX_ALTERNATES = 1024 * 1024;

/**
 * Checks that git finds no FIFO, on which it would block, and no device, which it would read forever.
 *
 * @throws DragomanError `usage` with the path of the first one; `interrupted`
 */
export async function requirePlainFiles(
  { gitDirectory, commonDirectory }: WorkTree,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set<string>();
  const first = join(commonDirectory, 'objects');
  const objects = new Set([first]);
  // The loop also visits the directories that it adds.
  for (const directory of objects) {
    const waiting = directory === first ? [gitDirectory, commonDirectory, directory] : [directory];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      throwIfAborted(signal);
      const real = realOf(next);
      if (real === undefined || seen.has(real)) continue;
      seen.add(real);
      waiting.push(...directoriesIn(real));
    }
    for (const path of await alternatesOf(directory)) objects.add(path);
  }
}

function realOf(directory: string): string | undefined {
  try {
    return realPathAt(directory);
  } catch {
    return undefined;
  }
}

/**
 * The subdirectories that git reads. @throws DragomanError `usage` for an entry that is neither a directory nor a file
 */
function directoriesIn(directory: string): readonly string[] {
  const directories: string[] = [];
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isFile()) continue;
    const type = entry.isDirectory() ? 'directory' : typeAt(path);
    if (type === 'other') throw notPlain(path);
    if (type === 'directory' && !FOREIGN.has(entry.name)) directories.push(path);
  }
  return directories;
}

/** Git cannot list an unreadable directory either. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return listAt(directory);
  } catch {
    return [];
  }
}

/** The other object directories that this one refers to. */
async function alternatesOf(directory: string): Promise<readonly string[]> {
  const path = join(directory, 'info/alternates');
  const lines = (await readIfThere(path, { limit: MAX_ALTERNATES }))?.toString('utf8').split('\n') ?? [];
  const named = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (named.some((line) => line.startsWith('"')))
    throw new DragomanError('usage', `${path}: paths in quotes are not supported`);
  return named.map((line) => resolve(directory, line));
}

/**
 * Checks the rule files of a work tree that apply to these names: git reads them in every parent directory.
 *
 * @throws DragomanError `usage`
 */
export function requirePlainRules(top: string, names: Iterable<string>): void {
  const directories = new Set(['']);
  for (const name of names)
    for (let end = name.indexOf('/'); end !== -1; end = name.indexOf('/', end + 1))
      directories.add(name.slice(0, end));
  for (const directory of directories)
    for (const rules of ['.gitignore', '.gitattributes']) {
      const path = join(top, directory, rules);
      if (typeAt(path) === 'other') throw notPlain(path);
    }
}

function notPlain(path: string): DragomanError {
  return new DragomanError('usage', `${path} is not a regular file, and git would wait for it`, {
    hint: 'Remove it, or leave out the option that compares with a commit.',
  });
}
