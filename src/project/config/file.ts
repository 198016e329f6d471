import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
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
  const home = homedir();
  for (let at = directory; ; at = dirname(at)) {
    for (const name of CONFIGURATION_NAMES) {
      const found = await readConfigurationFile(join(at, name));
      if (found) return found;
    }
    if (at === home || at === dirname(at) || (await exists(join(at, '.git')))) return undefined;
  }
}

/**
 * Undefined when there is no such file, or a package.json without the key `dragoman`.
 *
 * @throws DragomanError `configuration`
 */
export async function readConfigurationFile(path: string): Promise<ConfigurationFile | undefined> {
  let text: string;
  try {
    if ((await stat(path)).size > MAX_BYTES) {
      throw new DragomanError('configuration', 'a configuration of more than 1 MiB is none').inFile(path);
    }
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new DragomanError('configuration', `cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
  text = text.replace(/^\ufeff/, '');
  if (path.endsWith('package.json')) {
    // Most packages have no such key: they are not worth a parser with positions.
    return text.includes('"dragoman"') ? readPackage(path, text) : undefined;
  }
  return path.endsWith('.json') ? readJson(path, text) : readYaml(path, text);
}

async function readPackage(path: string, text: string): Promise<ConfigurationFile | undefined> {
  const whole = await readJson(path, text).catch(() => undefined);
  // A broken package.json is its owner's concern, and the package manager's to complain about.
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

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
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
