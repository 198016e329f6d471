import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readBoundedSync, readIfThere } from '../../base/bounded-read.ts';
import { typeAt } from '../../base/file-facts.ts';
import { requireInside } from '../../base/inside.ts';
import type { ConfigurationFile } from './schema.ts';

/** The names that cosmiconfig gave to configurations, without those that hold programs. The first one in a directory wins. */
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

/** No list of languages is this long; a parser should not have to prove it. */
const MAX_BYTES = 1024 * 1024;

/** Extensions of editors describe themselves in theirs. */
const MAX_PACKAGE_BYTES = 8 * 1024 * 1024;

const limitOf = (name: string): number => (name === 'package.json' ? MAX_PACKAGE_BYTES : MAX_BYTES);

const NAMES: ReadonlySet<string> = new Set(CONFIGURATION_NAMES);

/**
 * Whether the regular file of this name gives its directory a configuration. Synchronous, for those who look at every
 * file of a tree.
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
    // As for `loadPackage`: a broken package.json configures nothing.
    return false;
  }
}

/**
 * The configuration of a directory: its own, or that of the nearest directory above it, up to the root of the
 * repository or the user's home.
 *
 * @throws DragomanError `configuration` for one that cannot be read.
 */
export async function findConfigurationFile(directory: string): Promise<ConfigurationFile | undefined> {
  const { above, repository } = climb(directory);
  for (const at of above) {
    const found = await findConfigurationIn(at, CONFIGURATION_NAMES, repository ?? at);
    if (found) return found;
  }
  return undefined;
}

/** The root of the repository that a directory lies in; without one the directory: no link of a checkout leads out of it. */
export function boundaryOf(directory: string): string {
  return climb(directory).repository ?? directory;
}

interface Climb {
  /** The directory, and those above it up to the root of the repository or the user's home. */
  readonly above: readonly string[];
  readonly repository: string | undefined;
}

function climb(directory: string): Climb {
  const home = homedir();
  const above: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    above.push(at);
    if (typeAt(join(at, '.git')) !== undefined) return { above, repository: at };
    if (at === home || at === dirname(at)) return { above, repository: undefined };
  }
}

/**
 * The first existing file of these, or a package.json with the key `dragoman`. Only regular files of moderate size are
 * read, and parsers are loaded only if there are any.
 *
 * @param inside a directory that no link may leave; the user's own configuration may be anywhere
 * @throws DragomanError `configuration`, `limit_exceeded`
 */
export async function findConfigurationIn(
  directory: string,
  names: readonly string[],
  inside?: string,
): Promise<ConfigurationFile | undefined> {
  for (const name of names) {
    const path = join(directory, name);
    const bytes = await readIfThere(path, { limit: limitOf(name), code: 'configuration' });
    // Most packages have no such key: they are not worth a parser with positions.
    if (!bytes || (name === 'package.json' && !bytes.includes('"dragoman"'))) continue;
    // Checked first, so that no error message quotes a file outside of the project.
    if (inside !== undefined) requireInside(inside, path, 'configuration');
    const { parseConfiguration } = await import('./content.ts');
    const file = await parseConfiguration(path, bytes);
    if (file) return file;
  }
  return undefined;
}

/** The name of the lock, next to the configuration. */
export const LOCK_NAME = 'dragoman.lock';

const OWN_NAMES: ReadonlySet<string> = new Set([LOCK_NAME, ...CONFIGURATION_NAMES]);

/**
 * Whether a path is that of a lock or a configuration, as file systems without case compare names. A package.json counts
 * at the root only: below it, `locales/en/package.json` may hold texts about packages.
 *
 * @param path relative to the root, with slashes
 */
export function isOwnFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return OWN_NAMES.has(name) && (name !== 'package.json' || !path.includes('/'));
}
