import { Composer, isMap, isNode, isScalar, Lexer, Parser, visit, type CST, type Document } from 'yaml';
import { DragomanError, type Location } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import {
  configurationFile,
  type ConfigurationFile,
  MAX_DEPTH,
  nestedTooDeeply,
  type ValuePath,
} from './schema.ts';

/** @throws DragomanError `configuration`, `limit_exceeded` for values that are nested too deeply */
export function readYaml(path: string, text: string): ConfigurationFile {
  const placeAt = (offset: number): Location => ({ ...positionAt(text, offset), file: path });
  const failure = (offset: number, message: string): DragomanError =>
    new DragomanError('configuration', message, { at: placeAt(offset) });
  // The library compares each key with all others of its map, and collects all errors, of which a damaged file has
  // thousands.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  let problem: DragomanError | undefined;
  Object.assign(composer, {
    onError: (
      source: number | readonly number[] | { readonly offset: number },
      _code: string,
      message: string,
      isWarning?: boolean,
    ) => {
      if (isWarning === true) return;
      const offset =
        typeof source === 'number' ? source : 'offset' in source ? source.offset : (source[0] ?? 0);
      problem ??= failure(offset, `not well-formed YAML: ${message}`);
      throw problem;
    },
  });
  const [document, another] = composer.compose(tokensOf(text, placeAt), true, text.length);
  if (problem) throw problem;
  if (!document) throw new DragomanError('internal', 'the YAML composer returned no document');
  const error = document.errors[0];
  if (error) throw failure(error.pos[0], `not well-formed YAML: ${error.message}`);
  if (another) throw failure(another.range[0], 'not well-formed YAML: there is a second document');
  const double = doubleKeyOf(document);
  if (double !== undefined) throw failure(double, 'not well-formed YAML: duplicate key');
  const offsetOf = (at: ValuePath): number => {
    const last = at.at(-1);
    const parent: unknown = at.length > 1 ? document.getIn(at.slice(0, -1), true) : document.contents;
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && key.value === last);
      if (isScalar(pair?.key) && pair.key.range) return pair.key.range[0];
    }
    const node: unknown = at.length > 0 ? document.getIn(at, true) : document.contents;
    return isNode(node) && node.range ? node.range[0] : 0;
  };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw failure(0, `not usable YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  return configurationFile(path, value, (at) => placeAt(offsetOf(at)));
}

/** Enough for tens of thousands of terms. A token takes microseconds, and no signal can interrupt the parser. */
const MAX_TOKENS = 1_000_000;
/** The library scans blank lines and comments once for every collection that ends before them. */
const MAX_WORK = 20_000_000;

/** The parser uses a stack, but the composer of documents recurses for each level. */
function* tokensOf(text: string, placeAt: (offset: number) => Location): Generator<CST.Token> {
  const parser = new Parser();
  let tokens = 0;
  let work = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    tokens++;
    work += parser.stack.length;
    if (parser.stack.length > MAX_DEPTH) throw nestedTooDeeply(placeAt(parser.offset));
    if (tokens > MAX_TOKENS || work > MAX_WORK) {
      throw new DragomanError(
        'limit_exceeded',
        `the file has more than ${MAX_TOKENS} tokens, or too many blank lines inside nested values`,
        {
          at: placeAt(parser.offset),
        },
      );
    }
  }
  yield* parser.end();
}

/** The position of the first duplicate key of a map. */
function doubleKeyOf(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          offset = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return offset;
}
