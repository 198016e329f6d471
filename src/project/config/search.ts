import { requireMerged } from '../../base/merge-conflict.ts';
import { basename } from 'node:path';
import { Explorer } from 'cosmiconfig/dist/Explorer.js';
import { DragomanError, inFile } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { requireUtf8 } from '../../base/utf8.ts';
import { configurationFile, type ConfigurationFile } from './schema.ts';

/**
 * The first configuration among the candidates in a directory, found by cosmiconfig. Uses its class, because its
 * function `cosmiconfig` runs `.config/config.js` of the current directory to configure itself. The class gets only the
 * loaders below. They return files with positions instead of plain data, so that cosmiconfig finds no `$import` to
 * follow.
 *
 * @param candidates names with their content, in order; nothing else is opened
 * @throws DragomanError `configuration`, `limit_exceeded`
 */
export async function search(
  directory: string,
  candidates: ReadonlyMap<string, Uint8Array>,
): Promise<ConfigurationFile | undefined> {
  const contentOf = (path: string): Uint8Array => candidates.get(basename(path)) ?? new Uint8Array();
  const load = (path: string): Promise<unknown> =>
    (basename(path) === 'package.json' ? loadPackage : readFile)(path, contentOf(path));
  const explorer = new Explorer<ConfigurationFile>({
    moduleName: 'dragoman',
    searchPlaces: [...candidates.keys()],
    searchStrategy: 'none',
    loaders: { noExt: load, '.json': load, '.yaml': load, '.yml': load },
    transform: (result) => result,
    ignoreEmptySearchPlaces: false,
    metaConfigFilePath: null,
    cache: false,
  });
  const found = await explorer.search(directory);
  // cosmiconfig only reports that a file is empty, but the error needs a position.
  return found?.isEmpty ? readFile(found.filepath, contentOf(found.filepath)) : found?.config;
}

async function readFile(path: string, bytes: Uint8Array): Promise<ConfigurationFile> {
  const text = decode(bytes, path);
  return path.endsWith('.json') ? readJson(path, text) : readYaml(path, text);
}

function decode(bytes: Uint8Array, path: string): string {
  return inFile(path, () => {
    const text = requireUtf8(bytes, 'configuration').replace(/^\ufeff/, '');
    requireMerged(text, 'configuration');
    return text;
  });
}

/** The object from which cosmiconfig takes the key `dragoman`, if the package has it. */
async function loadPackage(
  path: string,
  bytes: Uint8Array,
): Promise<{ readonly dragoman?: ConfigurationFile }> {
  const whole = await readPackage(path, bytes);
  if (!isObject(whole?.value) || !Object.hasOwn(whole.value, 'dragoman')) return {};
  return {
    dragoman: configurationFile(path, whole.value['dragoman'], (at) => whole.placeOf(['dragoman', ...at])),
  };
}

/** Undefined for a broken package.json, which its package manager reports. */
async function readPackage(path: string, bytes: Uint8Array): Promise<ConfigurationFile | undefined> {
  try {
    return await readJson(
      path,
      Buffer.from(bytes)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
  } catch (error) {
    if (error instanceof DragomanError && error.code !== 'limit_exceeded') return undefined;
    throw error;
  }
}

/**
 * The parsers are loaded on demand. Their modules import them by name, because a bundled CommonJS package only has a
 * default export if it is imported dynamically.
 */
async function readJson(path: string, text: string): Promise<ConfigurationFile> {
  return (await import('./json.ts')).readJson(path, text);
}

async function readYaml(path: string, text: string): Promise<ConfigurationFile> {
  return (await import('./yaml.ts')).readYaml(path, text);
}
