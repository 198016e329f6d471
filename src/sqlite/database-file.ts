import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { DragomanError } from '../base/errors.ts';
import { isMissing } from '../base/bounded-read.ts';
import { entryAt, realPathAt, typeAt } from '../base/file-facts.ts';

/** SQLite keeps these files next to the database, and follows links in their place. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Checks that a database and the files next to it are regular files or missing. Does not open them: closing a
 * database's file would release this process's locks on it.
 *
 * @throws DragomanError `not_a_file`
 */
export function requireDatabaseFile(path: string): void {
  const real = realPathOf(path);
  // In a missing directory, creating the file reports the error.
  if (typeAt(dirname(real)) !== 'directory') return;
  const found = [typeAt(path), ...COMPANIONS.map((ending) => entryAt(real + ending))];
  const wrong = found.findIndex((type) => type !== undefined && type !== 'file');
  if (wrong < 0) return;
  const name = wrong === 0 ? path : `${real}${COMPANIONS[wrong - 1] ?? ''}`;
  throw new DragomanError(
    'not_a_file',
    `${name} is ${found[wrong] === 'directory' ? 'a directory' : 'not a regular file'}`,
    {
      hint: 'Remove it, or name another file.',
    },
  );
}

/** The end of a journal for a transaction over several databases; it follows the name of their common file. */
const SEVERAL_DATABASES = Buffer.from('d9d505f920a163d7', 'hex');

/**
 * Checks that a journal next to a database names no other file: SQLite would delete that file after a rollback. Our
 * databases have no such journals.
 *
 * @throws DragomanError `unreadable_input`, and system errors
 */
export function requireOwnJournal(path: string): void {
  const journal = `${realPathOf(path)}-journal`;
  const end = Buffer.alloc(SEVERAL_DATABASES.length);
  let file: number;
  try {
    file = openSync(journal, 'r');
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    readSync(file, end, 0, end.length, Math.max(0, fstatSync(file).size - end.length));
  } finally {
    closeSync(file);
  }
  if (!end.equals(SEVERAL_DATABASES)) return;
  throw new DragomanError('unreadable_input', `${journal} names another file, which SQLite would delete`, {
    hint: 'Delete the journal, and the database too unless you know where it comes from.',
  });
}

function realPathOf(path: string): string {
  try {
    return realPathAt(path);
  } catch {
    return path;
  }
}
