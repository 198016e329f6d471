import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readBoundedSync, readIfThere } from '../../base/bounded-read.ts';
import { typeAt } from '../../base/file-facts.ts';
import { requireInside } from '../../base/inside.ts';
import type { ConfigurationFile } from './schema.ts';

/**
 * The names of configuration files that cosmiconfig supports, except those of programs. The first existing file in a
 * directory wins.
 */
export const CONFIGURATION_NAMES = [
  'package.json',
  '.dragomanrc',
  '.dragomanrc.json',
  '.dragomanrc.yaml',
  '.dragomanrc.yml',
  'dragoman.config.json',
  'dragoman.config.yaml',
  'dragoman.config.yml',
] as const;

/** Configurations are much smaller; larger files would only slow the parser down. */
const MAX_BYTES = 1024 * 1024;

/** Larger, because the package.json of an editor extension describes the whole extension. */
const MAX_PACKAGE_BYTES = 8 * 1024 * 1024;

const limitOf = (name: string): number => (name === 'package.json' ? MAX_PACKAGE_BYTES : MAX_BYTES);

const NAMES: ReadonlySet<string> = new Set(CONFIGURATION_NAMES);

/**
 * Whether a regular file with this name configures its directory. Synchronous, because callers check every file of a
 * tree.
 */
export function isConfigured(directory: string, name: string): boolean {
  return NAMES.has(name) && (name !== 'package.json' || holdsConfiguration(join(directory, name)));
}

function holdsConfiguration(path: string): boolean {
  try {
    const text = readBoundedSync(path, { limit: MAX_PACKAGE_BYTES }).toString('utf8');
    if (!text.includes('"dragoman"')) return false;
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, 'dragoman');
  } catch {
    // Like `loadPackage`: a broken package.json configures nothing.
    return false;
  }
}

/**
 * The configuration for a directory: its own, or that of the nearest parent, up to the root of the repository or the
 * user's home.
 *
 * @throws DragomanError `configuration` if it cannot be read
 */
export async function findConfigurationFile(directory: string): Promise<ConfigurationFile | undefined> {
  const { above, repository } = climb(directory);
  for (const at of above) {
    const found = await findConfigurationIn(at, CONFIGURATION_NAMES, repository ?? at);
    if (found) return found;
  }
  return undefined;
}

/**
 * The root of the repository that contains a directory, or the directory itself. Links in a checkout must not lead out
 * of it.
 */
export function boundaryOf(directory: string): string {
  return climb(directory).repository ?? directory;
}

interface Climb {
  /** The directory and its parents, up to the root of the repository or the user's home. */
  readonly above: readonly string[];
  readonly repository: string | undefined;
}

/** @param directory absolute */
export function climb(directory: string): Climb {
  const home = homedir();
  const above: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    above.push(at);
    if (typeAt(join(at, '.git')) !== undefined) return { above, repository: at };
    if (at === home || at === dirname(at)) return { above, repository: undefined };
  }
}

/**
 * The first existing file of these, or a package.json with the key `dragoman`. cosmiconfig reads without a limit, so it
 * only gets regular files of moderate size that were read here first; it is loaded only for such files.
 *
 * @param inside a directory that links must not leave; the user's own configuration may be anywhere
 * @throws DragomanError `configuration`, `limit_exceeded`
 */
export async function findConfigurationIn(
  directory: string,
  names: readonly string[],
  inside?: string,
): Promise<ConfigurationFile | undefined> {
  const candidates = new Map<string, Uint8Array>();
  for (const name of names) {
    const bytes = await readIfThere(join(directory, name), { limit: limitOf(name), code: 'configuration' });
    const isPackage = name === 'package.json';
    // Most packages do not have the key, so the slower parser with positions is not needed.
    if (!bytes || (isPackage && !bytes.includes('"dragoman"'))) continue;
    // Checked before reading, so that no error message quotes a file outside the project.
    if (inside !== undefined) requireInside(inside, join(directory, name), 'configuration');
    candidates.set(name, bytes);
    if (!isPackage) break;
  }
  return candidates.size === 0 ? undefined : (await import('./search.ts')).search(directory, candidates);
}

/** The name of the lock, next to the configuration. */
export const LOCK_NAME = 'dragoman.lock';

const OWN_NAMES: ReadonlySet<string> = new Set([LOCK_NAME, ...CONFIGURATION_NAMES]);

/**
 * Whether a path is a lock or configuration, ignoring case, as some file systems do. A package.json is a configuration
 * only at the root: elsewhere it may be a translated file, such as `locales/en/package.json`.
 *
 * @param path relative to the root, with slashes
 */
export function isOwnFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return OWN_NAMES.has(name) && (name !== 'package.json' || !path.includes('/'));
}
