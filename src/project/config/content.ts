import { basename } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { requireMerged } from '../../base/merge-conflict.ts';
import { requireUtf8 } from '../../base/utf8.ts';
import { isObject } from '../../base/json.ts';
import { type ConfigurationFile } from './schema.ts';

/**
 * Parses a configuration.
 *
 * @returns undefined for a package.json without a configuration
 * @throws DragomanError `configuration`, `limit_exceeded`
 */
export async function parseConfiguration(
  path: string,
  bytes: Uint8Array,
): Promise<ConfigurationFile | undefined> {
  if (basename(path) === 'package.json') return parsePackage(path, bytes);
  const text = decode(bytes, path);
  return path.endsWith('.json') ? readJson(path, text) : (await import('./yaml.ts')).readYaml(path, text);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    const text = requireUtf8(bytes, 'configuration').replace(/^\ufeff/, '');
    requireMerged(text, 'configuration');
    return text;
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

/** A broken package.json configures nothing; its package manager reports it. */
async function parsePackage(path: string, bytes: Uint8Array): Promise<ConfigurationFile | undefined> {
  try {
    const text = Buffer.from(bytes).toString('utf8');
    const whole = await readJson(path, text.replace(/^\ufeff/, ''));
    const { value } = whole;
    if (!isObject(value) || !Object.hasOwn(value, KEY)) return undefined;
    return {
      path,
      value: value[KEY],
      placeOf: (at) => whole.placeOf([KEY, ...at]),
      errorAt: (at, message, hint) => whole.errorAt([KEY, ...at], message, hint),
    };
  } catch (error) {
    if (error instanceof DragomanError && error.code !== 'limit_exceeded') return undefined;
    throw error;
  }
}

/** Of package.json. */
const KEY = 'dragoman';

/** The parsers are loaded on demand. */
async function readJson(path: string, text: string): Promise<ConfigurationFile> {
  return (await import('./json.ts')).readJson(path, text);
}
