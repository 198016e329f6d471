import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readBoundedSync, readIfThere } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { requireInside } from '../../base/inside.ts';
import { requireUtf8 } from '../../base/utf8.ts';
import type { ConfigurationFile } from './source.ts';

/** cosmiconfig's names, without those that hold programs. The first one in a directory wins. */
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
    const text = readBoundedSync(path, { limit: MAX_BYTES }).toString('utf8');
    if (!text.includes('"dragoman"')) return false;
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, 'dragoman');
  } catch {
    // As for `readPackage`: a broken package.json configures nothing.
    return false;
  }
}

/**
 * The configuration that holds for a directory: its own, or of the nearest directory above it, up to the root of the
 * repository or the user's home.
 *
 * It is read here and not by cosmiconfig, because cosmiconfig runs `.config/config.js` of the current directory to
 * configure itself, and a configuration must not be able to run anything.
 *
 * @throws DragomanError `configuration` when there is one that cannot be read.
 */
export async function findConfigurationFile(directory: string): Promise<ConfigurationFile | undefined> {
  const { above, repository } = climb(directory);
  for (const at of above) {
    for (const name of CONFIGURATION_NAMES) {
      const found = await readConfigurationFile(join(at, name), repository ?? at);
      if (found) return found;
    }
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
 * Undefined when there is no such file, or a package.json without the key `dragoman`.
 *
 * @param inside a directory that no link may lead out of; the user's own configuration may lie anywhere
 * @throws DragomanError `configuration`, `limit_exceeded`
 */
export async function readConfigurationFile(
  path: string,
  inside?: string,
): Promise<ConfigurationFile | undefined> {
  const bytes = await readIfThere(path, { limit: MAX_BYTES, code: 'configuration' });
  if (!bytes) return undefined;
  const isPackage = basename(path) === 'package.json';
  // Most packages have no such key: they are not worth a parser with positions.
  if (isPackage && !bytes.includes('"dragoman"')) return undefined;
  // Checked first, so that no error message quotes a file outside of the project.
  if (inside !== undefined) requireInside(inside, path, 'configuration');
  if (isPackage) return readPackage(path, bytes.toString('utf8').replace(/^\ufeff/, ''));
  const text = decodeConfiguration(bytes, path);
  return path.endsWith('.json') ? readJson(path, text) : readYaml(path, text);
}

function decodeConfiguration(bytes: Uint8Array, path: string): string {
  try {
    return requireUtf8(bytes, 'configuration').replace(/^\ufeff/, '');
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

async function readPackage(path: string, text: string): Promise<ConfigurationFile | undefined> {
  const whole = await readJson(path, text).catch((error: unknown) => {
    if (error instanceof DragomanError && error.code === 'limit_exceeded') throw error;
    // A broken package.json is its owner's concern, and the package manager's to complain about.
    return undefined;
  });
  if (typeof whole?.value !== 'object' || whole.value === null) return undefined;
  const members: Readonly<Record<string, unknown>> = { ...whole.value };
  if (!Object.hasOwn(members, 'dragoman')) return undefined;
  return {
    path,
    value: members['dragoman'],
    placeOf: (at) => whole.placeOf(['dragoman', ...at]),
    errorAt: (at, message, hint) => whole.errorAt(['dragoman', ...at], message, hint),
  };
}

/**
 * The parsers are loaded when there is a file for them. Their own modules import them by name: a bundled CommonJS
 * package that is imported dynamically has a default export only.
 */
async function readJson(path: string, text: string): Promise<ConfigurationFile> {
  return (await import('./json.ts')).readJson(path, text);
}

async function readYaml(path: string, text: string): Promise<ConfigurationFile> {
  return (await import('./yaml.ts')).readYaml(path, text);
}

/** The name of the lock, beside the configuration. */
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
