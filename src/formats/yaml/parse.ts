import { Composer, Lexer, Parser, Schema, type CST, type Document } from 'yaml';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';

/** Collections within collections. The library composes recursively, so this bounds the call stack as well. */
const MAX_DEPTH = 500;
/** Ten megabytes of ordinary entries make about two million tokens; each costs up to 300 bytes until the scan ends. */
const MAX_TOKENS = 6_000_000;
/** An item of a flow collection has few tokens, but costs as much as an entry with eight. */
const COMMA = 4;
/** The library looks through blank lines and comments once for every collection that ends behind them. */
const MAX_WORK = 200_000_000;
const MAX_DOCUMENTS = 10_000;

/** What the lexer sends before a scalar without quotes. */
const PLAIN_OR_BLOCK = '\u001f';

const HINTS: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY:
    'A text that holds `: ` needs quotes; else check the indentation of the lines around.',
  BAD_INDENT: 'Check the indentation of this line and of the one above.',
  BAD_SCALAR_START: 'Put the text in quotes.',
};

export type YamlTree = Document.Parsed;

/**
 * All scalars stay the strings that they are in the file: what other schemas would make of them is decided by
 * `reading.ts`, for YAML 1.1 and 1.2 at once. One schema for all documents, it is costly to build.
 */
const SCHEMA = new Schema({ schema: 'failsafe', resolveKnownTags: false });

/**
 * Parses every document of the stream, with source tokens. Aliases are not expanded.
 *
 * @throws DragomanError `unreadable_input` at the first error, `limit_exceeded` beyond the bounds above.
 */
export function parseDocuments(text: string): readonly YamlTree[] {
  const composer = new Composer({
    schema: SCHEMA,
    keepSourceTokens: true,
    uniqueKeys: false,
    prettyErrors: false,
  });
  let first: DragomanError | undefined;
  // The library collects every error: millions in a damaged file. It also catches and reports what this throws.
  Object.assign(composer, {
    onError: (source: unknown, code: string, message: string, warning?: boolean) => {
      if (warning === true) return;
      first ??= syntaxError(text, offsetOf(source), message, HINTS[code]);
      throw first;
    },
  });
  const trees: YamlTree[] = [];
  const compose = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) {
      if (token.type === 'error') throw syntaxError(text, token.offset, token.message);
      for (const tree of composer.next(token)) trees.push(tree);
    }
    if (trees.length > MAX_DOCUMENTS)
      throw limitError(text, 0, `more than ${MAX_DOCUMENTS} documents in one file`);
  };
  const parser = new Parser();
  let tokens = 0;
  let work = 0;
  let previous = '';
  for (const lexeme of makeLexer().lex(text)) {
    // The library finds this at the end of the file; what helps is where the text begins.
    if (previous !== PLAIN_OR_BLOCK && isOpenQuote(lexeme)) {
      throw syntaxError(text, parser.offset, 'this quoted text is never closed');
    }
    if (previous !== PLAIN_OR_BLOCK && isTrivia(lexeme)) work += parser.stack.length;
    previous = lexeme;
    compose(parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) {
      throw limitError(text, parser.offset, `collections are nested more than ${MAX_DEPTH} deep`);
    }
    tokens += lexeme === ',' ? COMMA : 1;
    if (tokens > MAX_TOKENS || work > MAX_WORK) {
      throw limitError(
        text,
        parser.offset,
        `too much for one file: more than ${MAX_TOKENS} tokens, or blank lines deep down`,
      );
    }
  }
  compose(parser.end());
  for (const tree of composer.end()) trees.push(tree);
  const error = trees.flatMap((tree) => tree.errors)[0];
  if (error) throw syntaxError(text, error.pos[0], error.message);
  return trees;
}

/**
 * The library's lexer, for which the lines of a quoted text or of a flow collection need not be indented: libyaml, which
 * most programs read with, asks for that nowhere but in the specification's examples. Document markers still end both.
 */
function makeLexer(): Lexer {
  const lexer = new Lexer();
  const free = (state: 'parseQuotedScalar' | 'parseFlowCollection') =>
    function* (this: { indentNext: number }): Generator<string, unknown> {
      const { indentNext } = this;
      this.indentNext = 0;
      const next = yield* Lexer.prototype[state].call(this);
      this.indentNext = indentNext;
      return next;
    };
  return Object.assign(lexer, {
    parseQuotedScalar: free('parseQuotedScalar'),
    parseFlowCollection: free('parseFlowCollection'),
  });
}

/** A quoted text that the end of the file or a document marker ends: an escaped quote at its end does not close it. */
function isOpenQuote(lexeme: string): boolean {
  const quote = lexeme[0];
  if (quote !== '"' && quote !== "'") return false;
  const escape = quote === '"' ? '\\' : quote;
  const last = lexeme.length - 1;
  let first = last;
  while (first > 1 && lexeme[first - 1] === escape) first--;
  return last === 0 || lexeme[last] !== quote || (last - first) % 2 === 1;
}

/** White space, line breaks and comments. */
function isTrivia(lexeme: string): boolean {
  const first = lexeme.charCodeAt(0);
  return first <= 0x20 || first === 0x23;
}

function offsetOf(source: unknown): number {
  if (typeof source === 'number') return source;
  if (Array.isArray(source)) return Number(source[0]);
  if (typeof source === 'object' && source !== null && 'offset' in source) return Number(source.offset);
  return 0;
}

/** An `unreadable_input` error at `offset`. */
export function syntaxError(text: string, offset: number, message: string, hint?: string): DragomanError {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const tabbed = /^ *\t/.test(text.slice(lineStart, lineStart + 1000));
  return new DragomanError(
    'unreadable_input',
    tabbed ? 'a tab indents this line; YAML allows only spaces' : message,
    {
      at: positionAt(text, offset),
      hint: tabbed ? 'Replace the tab by spaces.' : hint,
    },
  );
}

function limitError(text: string, offset: number, message: string): DragomanError {
  return new DragomanError('limit_exceeded', message, { at: positionAt(text, offset) });
}
