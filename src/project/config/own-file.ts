import { CONFIGURATION_NAMES } from './file.ts';

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
