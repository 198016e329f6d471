import { type CST, Lexer, Parser, type YAMLMap } from 'yaml';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { firstProp } from './nodes.ts';
import { YamlPieceReader, type PieceVisitor } from './pieces.ts';

/** Collections within collections. The library composes recursively, so this bounds the call stack as well. */
const MAX_DEPTH = 500;
/** Ten megabytes of ordinary entries make one to two million tokens; each takes microseconds to compose. */
const MAX_TOKENS = 3_000_000;
/** Those of an upload, which are read in three seconds: ten megabytes of ordinary entries that are no simple ones have fewer. */
const MAX_UPLOADED_TOKENS = 1_200_000;
/** A text of up to so many characters cannot have too many tokens. */
const MODEST = 1_000_000;
/** An item of a flow collection has few tokens, but costs as much as an entry with eight. */
const COMMA = 4;
/** The library looks through blank lines and comments once for every collection that ends behind them. */
const MAX_WORK = 200_000_000;
const MAX_DOCUMENTS = 10_000;

/** What the lexer sends before a scalar without quotes. */
const PLAIN_OR_BLOCK = '\u001f';
/** What it sends when a document begins. */
const BEGINNING = '\u0002';
/** What it sends when a document marker stands within a flow collection. */
const FLOW_BREAKS_OFF = '\u0018';

const HINTS: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY:
    'A text that holds `: ` needs quotes; else check the indentation of the lines around.',
  BAD_INDENT: 'Check the indentation of this line and of the one above.',
  BAD_SCALAR_START: 'Put the text in quotes.',
};

const BLOCK_HINT = 'Start the text on the next line, or put it in quotes.';

/** Lexemes between two looks at what is finished: some hundred kilobytes of tokens and nodes at a time. */
const PIECE = 500;

/**
 * Reads every document of the stream, with source tokens, piece by piece: what the visitor was handed is kept nowhere
 * else. Aliases are not expanded.
 *
 * @param options.piece about how many lexemes a piece has
 * @throws DragomanError `unreadable_input` at the first error, `limit_exceeded` beyond the bounds above.
 */
export function readDocuments(
  text: string,
  visitor: PieceVisitor,
  {
    piece = PIECE,
    isUpload = false,
  }: { readonly piece?: number; readonly isUpload?: boolean | undefined } = {},
): void {
  const reader = new YamlPieceReader(text, visitor, (source, code, message) => {
    const offset = offsetOf(source);
    if (!isMistaken(text, code, offset)) throw syntaxError(text, offset, message, HINTS[code]);
  });
  const take = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) {
      if (token.type === 'error') throw syntaxError(text, token.offset, token.message);
      reader.take(token);
    }
    if (reader.documents > MAX_DOCUMENTS)
      throw limitError(text, 0, `more than ${MAX_DOCUMENTS} documents in one file`);
  };
  checkLineBreaks(text);
  requireModest(text, isUpload ? MAX_UPLOADED_TOKENS : MAX_TOKENS);
  const parser = new Parser();
  let tokens = 0;
  let work = 0;
  let next = piece;
  let previous = '';
  let inHeader = false;
  for (const lexeme of makeLexer().lex(text)) {
    if (previous !== PLAIN_OR_BLOCK) {
      // The library finds this at the end of the file; what helps is where the text begins.
      if (isOpenQuote(lexeme)) throw syntaxError(text, parser.offset, 'this quoted text is never closed');
      if (lexeme === FLOW_BREAKS_OFF) checkBrackets(text, parser.stack);
      if (isTrivia(lexeme)) work += parser.stack.length;
      // The library takes some texts behind the mark of a block for another entry.
      else if (inHeader || /^[|>](?![-+0-9]*$)/.test(lexeme)) {
        throw syntaxError(
          text,
          parser.offset,
          'a block of text begins on the line below its mark',
          BLOCK_HINT,
        );
      }
      inHeader = /^[|>]/.test(lexeme) || (inHeader && /^[ \t]/.test(lexeme));
    }
    previous = lexeme;
    take(parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) {
      throw limitError(text, parser.offset, `collections are nested more than ${MAX_DEPTH} deep`);
    }
    tokens++;
    if (work > MAX_WORK) throw limitError(text, parser.offset, 'too many blank lines deep down for one file');
    if (tokens < next) continue;
    next = tokens + piece;
    reader.takeFinished(parser.stack);
  }
  checkBrackets(text, parser.stack);
  take(parser.end());
  reader.end();
}

/**
 * Counts the tokens of a large text before anything is made of them, which takes ten times as long.
 *
 * @throws DragomanError `limit_exceeded`
 */
function requireModest(text: string, most: number): void {
  if (text.length <= MODEST) return;
  let tokens = 0;
  let offset = 0;
  for (const lexeme of makeLexer().lex(text)) {
    tokens += lexeme === ',' ? COMMA : 1;
    if (lexeme !== PLAIN_OR_BLOCK && lexeme !== BEGINNING && lexeme !== FLOW_BREAKS_OFF)
      offset += lexeme.length;
    if (tokens > most) throw limitError(text, offset, `too much for one file: more than ${most} tokens`);
  }
}

/** @throws DragomanError at a carriage return alone: a line break to the specification and libyaml, text to the library. */
function checkLineBreaks(text: string): void {
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    if (text[at + 1] !== '\n')
      throw syntaxError(
        text,
        at,
        'a carriage return without a line feed, which not all readers take for a line break',
        'Convert the line ends of the file to LF or CRLF.',
      );
  }
}

/** @throws DragomanError when a flow collection is open: what the library says is about the lines that it swallowed. */
function checkBrackets(text: string, stack: readonly CST.Token[]): void {
  const open = stack.find((token) => token.type === 'flow-collection' && token.end.length === 0);
  if (open) throw syntaxError(text, open.offset, 'this bracket is never closed');
}

/** What is changed of the library's lexer. */
interface LexerState {
  readonly buffer: string;
  readonly pos: number;
  indentNext: number;
}

/**
 * The library's lexer, made to read what libyaml reads, with which most programs read. The lines of a quoted text or of
 * a flow collection need not be indented; document markers still end both. A comment in the first column or a blank line
 * between a key and its value says nothing about how far the value is indented.
 */
function makeLexer(): Lexer {
  const unindented = (state: 'parseQuotedScalar' | 'parseFlowCollection') =>
    function* (this: LexerState): Generator<string, unknown> {
      const { indentNext } = this;
      this.indentNext = 0;
      const next = yield* Lexer.prototype[state].call(this);
      this.indentNext = indentNext;
      return next;
    };
  return Object.assign(new Lexer(), {
    parseQuotedScalar: unindented('parseQuotedScalar'),
    parseFlowCollection: unindented('parseFlowCollection'),
    *parseLineStart(this: LexerState): Generator<string, unknown> {
      const { buffer, indentNext } = this;
      let first = this.pos;
      while (buffer[first] === ' ') first++;
      const next = yield* Lexer.prototype['parseLineStart'].call(this);
      if (/[#\r\n]/.test(buffer[first] ?? '')) this.indentNext = indentNext;
      return next;
    },
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

/** Whether the library complains about a comment that is right. */
function isMistaken(text: string, code: string, offset: number): boolean {
  // Above a key in brackets a comment is an item of its own to the library, and then an impossible one.
  if (code === 'IMPOSSIBLE') return true;
  // Behind the last value of a flow map, it does not see that the comment begins a line.
  return code === 'MISSING_CHAR' && text[offset] === '#' && text[offset - 1] === '\n';
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

/** A `limit_exceeded` error at `offset`. */
export function limitError(text: string, offset: number, message: string): DragomanError {
  return new DragomanError('limit_exceeded', message, { at: positionAt(text, offset) });
}

/**
 * Looks for what the library lets pass in block maps, though no other reader does: there it loses values, and what it
 * reads changes with the lines around.
 *
 * @throws DragomanError `unreadable_input`
 */
export function checkPairs(text: string, { srcToken }: YAMLMap.Parsed): void {
  if (srcToken?.type !== 'block-map') return;
  for (const { start, key, sep, value } of srcToken.items) {
    const colon = sep?.findIndex(({ type }) => type === 'map-value-ind') ?? -1;
    if (value && colon === -1)
      throw syntaxError(text, value.offset, 'there is no colon between this value and its key');
    if (!sep || has(start, 'explicit-key-ind')) continue;
    const mark = sep[colon];
    const astray =
      mark && (mark.indent !== srcToken.indent || !beginsEntry(text, firstProp(start) ?? mark.offset));
    if (key === null && astray)
      throw syntaxError(text, mark.offset, 'all keys of a map must start in the same column');
    if (key && mark && has(sep.slice(0, colon), 'newline'))
      throw syntaxError(text, mark.offset, 'a key and its colon must stand on one line');
  }
}

/** Whether nothing but white space and marks of the collections around stands before `offset` on its line. */
function beginsEntry(text: string, offset: number): boolean {
  return /^ *(?:[-?:] +)*$/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}

function has(tokens: readonly CST.SourceToken[], wanted: CST.SourceToken['type']): boolean {
  return tokens.some(({ type }) => type === wanted);
}
