import { posix } from 'node:path';
import { fieldOf, textOf } from '../base/json.ts';
import type { Manifest } from './manifest.ts';

/** The values of a manifest in JSON, TOML or YAML; undefined if it is malformed or too long to be read completely. */
export async function readData({ path, text }: Manifest): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return JSON.parse(text);
    if (path.endsWith('.toml')) {
      const { getStaticTOMLValue, parseTOML } = await import('toml-eslint-parser');
      return getStaticTOMLValue(parseTOML(text));
    }
    const { parseDocument } = await import('yaml');
    // The library would compare each key with all others of its map. Tags of other programs (`!ENV`) are only warnings.
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false });
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** The value at a path of names; undefined if the path does not exist. */
export function valueAt(data: unknown, ...names: readonly string[]): unknown {
  return names.reduce(fieldOf, data);
}

/** A directory that settings name, without a trailing slash; undefined if they name none. */
export function directoryAt(data: unknown, name: string): string | undefined {
  const path = textOf(data, name);
  return path === undefined ? undefined : posix.normalize(path).replace(/\/$/, '');
}
