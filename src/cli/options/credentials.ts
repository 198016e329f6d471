import { statSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryPath } from '../../base/atomic-file.ts';
import { readIfThere } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { systemError } from '../../base/system-error.ts';
import { configDirectory } from '../../base/user-directories.ts';
import type { Environment } from '../../base/http/proxy.ts';
import { fieldOf, isObject, parseObject } from '../../base/json.ts';

/** A key, and the only address to which it is sent. */
export interface Credential {
  readonly baseUrl: string;
  readonly profile?: string | undefined;
  readonly key: string;
}

/** The keys stored by dragoman login in a file that only the user can read. */
export interface Credentials {
  /** Undefined without a home directory. */
  readonly file: string | undefined;
  readonly entries: readonly Credential[];
  /** Whether other users can read the file. */
  readonly exposed: boolean;
}

/** Enough for thousands of keys. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the file; empty if it is missing.
 *
 * @throws DragomanError `configuration` for an unreadable or invalid file
 */
export async function readCredentials(env: Environment): Promise<Credentials> {
  const directory = configDirectory(env);
  if (directory === undefined) return { file: undefined, entries: [], exposed: false };
  const file = join(directory, 'credentials.json');
  const bytes = await readIfThere(file, { limit: MAX_BYTES, code: 'configuration' });
  if (!bytes) return { file, entries: [], exposed: false };
  return { file, entries: parse(bytes.toString('utf8'), file), exposed: isExposed(file) };
}

/** The error omits the content and the parser's message, because both may contain a key. */
function parse(text: string, file: string): readonly Credential[] {
  const keys = fieldOf(parseObject(text), 'keys');
  const entries: readonly unknown[] | undefined = Array.isArray(keys) ? keys : undefined;
  if (entries?.every(isCredential)) return entries;
  throw new DragomanError('configuration', `${file} is not a key file of dragoman login`, {
    hint: 'Remove it and run dragoman login again.',
  });
}

function isCredential(value: unknown): value is Credential {
  if (!isObject(value)) return false;
  const { baseUrl, profile, key } = value;
  const isNamed = profile === undefined || typeof profile === 'string';
  return typeof baseUrl === 'string' && typeof key === 'string' && isNamed;
}

/** Whether other users can read a file. Always false on Windows, whose permissions are not in the mode. */
export function isExposed(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
}

/**
 * Replaces the file: it always has either the old keys or the new ones, and no other user can read it at any time. A
 * file without keys is removed.
 *
 * @throws DragomanError `unwritable_output`
 */
export async function writeCredentials(file: string, entries: readonly Credential[]): Promise<void> {
  const temporary = temporaryPath(file);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await rm(temporary, { force: true });
    if (entries.length === 0) {
      await rm(file, { force: true });
      return;
    }
    const handle = await open(temporary, 'wx', 0o600);
    try {
      // Keeps the owner's access under any umask.
      await chmod(temporary, 0o600);
      await handle.writeFile(`${JSON.stringify({ keys: entries }, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw systemError('unwritable_output', `write ${file}`, error);
  }
}
