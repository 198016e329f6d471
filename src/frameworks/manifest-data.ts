import { posix } from 'node:path';
import type { CST, Parser } from 'yaml';
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
    const { Composer, Lexer, Parser } = await import('yaml');
    const tokens = tokensOf(new Lexer().lex(text), new Parser());
    // The library would compare each key with all others of its map. Other programs' tags (`!ENV`) only cause warnings.
    const options = { uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const;
    const [document] = new Composer(options).compose(tokens, true, text.length);
    return document?.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

const MAX_DEPTH = 50;
/** The library rereads blank lines and comments once for every collection that ends after them. */
const MAX_WORK = 5_000_000;

/** The library composes recursively, and takes several times as long for each further level of unclosed brackets. */
function* tokensOf(lexemes: Iterable<string>, parser: Parser): Generator<CST.Token> {
  let work = 0;
  for (const lexeme of lexemes) {
    yield* parser.next(lexeme);
    work += parser.stack.length;
    if (parser.stack.length > MAX_DEPTH || work > MAX_WORK) throw new RangeError('nested too deeply');
  }
  yield* parser.end();
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
