import { Composer, type CST, type Document, Lexer, Parser, Schema, type YAMLMap } from 'yaml';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { firstProp } from './nodes.ts';

export type YamlTree = Document.Parsed;

/** The maximum depth of nested collections. The library composes recursively, so this also limits the call stack. */
const MAX_DEPTH = 500;
/** Ten megabytes of ordinary entries make one to two million tokens; each takes microseconds to compose. */
const MAX_TOKENS = 3_000_000;
/**
 * The limit for uploads, which must be parsed within three seconds. Ten megabytes of ordinary entries have fewer
 * tokens, or are simple enough for the reader of simple documents.
 */
const MAX_UPLOADED_TOKENS = 1_200_000;
/** A text of this many characters cannot exceed the token limit. */
const MODEST = 1_000_000;
/** An item of a flow collection has few tokens, but costs as much as an entry with eight. */
const COMMA = 4;
/** The library rereads blank lines and comments once for every collection that ends after them. */
const MAX_WORK = 200_000_000;
const MAX_DOCUMENTS = 10_000;

/** The lexeme before an unquoted scalar. */
const PLAIN_OR_BLOCK = '\u001f';
/** The lexeme at the beginning of a document. */
const BEGINNING = '\u0002';
/** The lexeme for a document marker within a flow collection. */
const FLOW_BREAKS_OFF = '\u0018';

const HINTS: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY:
    'A text that contains `: ` needs quotes. Otherwise, check the indentation of the lines around it.',
  BAD_INDENT: 'Check the indentation of this line and of the one above.',
  BAD_SCALAR_START: 'Put the text in quotes.',
};

const BLOCK_HINT = 'Start the text on the next line, or put it in quotes.';

/**
 * All scalars remain strings: `quoting.ts` interprets them for YAML 1.1 and 1.2 at once. One schema for all documents,
 * because building it is slow.
 */
const SCHEMA = new Schema({ schema: 'failsafe', resolveKnownTags: false });

/**
 * Reads every document of the stream, with source tokens. Aliases are not expanded.
 *
 * @param visit receives the documents in file order, and whether the stream has several
 * @throws DragomanError `unreadable_input` at the first error, `limit_exceeded` beyond the limits above
 */
export function readDocuments(
  text: string,
  visit: (tree: YamlTree, several: boolean) => void,
  isUpload = false,
): void {
  const onError: OnError = (source, code, message) => {
    const offset = offsetOf(source);
    if (!isMistaken(text, code, offset)) throw syntaxError(text, offset, message, HINTS[code]);
  };
  const composer = makeComposer(onError);
  let documents = 0;
  let directive: CST.Directive | undefined;
  const take = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) {
      if (token.type === 'error') throw syntaxError(text, token.offset, token.message);
      if (token.type === 'directive') directive = token;
      if (token.type === 'document') {
        directive = undefined;
        documents++;
      }
      // A document is finished once the next one begins.
      for (const tree of composer.next(token)) visit(tree, true);
    }
    if (documents > MAX_DOCUMENTS)
      throw limitError(text, 0, `more than ${MAX_DOCUMENTS} documents in one file`);
  };
  checkLineBreaks(text);
  requireModest(text, isUpload ? MAX_UPLOADED_TOKENS : MAX_TOKENS);
  const parser = new Parser();
  let work = 0;
  let previous = '';
  let inHeader = false;
  try {
    for (const lexeme of makeLexer().lex(text)) {
      if (previous !== PLAIN_OR_BLOCK) {
        // The library would report an unclosed text at the end of the file; the position where it begins is more
        // useful.
        if (isOpenQuote(lexeme)) throw syntaxError(text, parser.offset, 'this quoted text is never closed');
        if (lexeme === FLOW_BREAKS_OFF) checkBrackets(text, parser.stack);
        if (isTrivia(lexeme)) work += parser.stack.length;
        // The library reads some texts after a block indicator as another entry.
        else if (inHeader || /^[|>](?![-+0-9]*$)/.test(lexeme)) {
          throw syntaxError(
            text,
            parser.offset,
            'a block of text must begin on the line below its indicator',
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
      if (work > MAX_WORK) throw limitError(text, parser.offset, 'too many blank lines inside deep nesting');
    }
    checkBrackets(text, parser.stack);
    take(parser.end());
    for (const tree of composer.end()) visit(tree, documents > 1);
  } catch (error) {
    throw firstError(text, error, parser, composer);
  }
  if (directive) onError(directive, 'MISSING_CHAR', 'a directive needs a line `---` after it');
}

/**
 * The first error in a text that was read as far as `error`. The library composes a document at its end, so errors on
 * the lines above are still unknown. Errors about brackets that are still open are ignored: they only show that reading
 * stopped early.
 */
function firstError(text: string, error: unknown, parser: Parser, composer: Composer): unknown {
  if (!(error instanceof DragomanError) || error.code !== 'unreadable_input' || !error.at) return error;
  const bracket = parser.stack.find(({ type }) => type === 'flow-collection');
  const line = Math.min(error.at.line, bracket ? positionAt(text, bracket.offset).line : Infinity);
  try {
    for (const token of parser.end()) Array.from(composer.next(token));
  } catch (other) {
    if (other instanceof DragomanError && other.at && other.at.line < line) return other;
  }
  return error;
}

type OnError = (source: unknown, code: string, message: string) => void;

/** Stops at the first error that `onError` throws: the library would collect all, millions in a damaged file. */
function makeComposer(onError: OnError): Composer {
  let thrown: unknown;
  return Object.assign(
    new Composer({ schema: SCHEMA, keepSourceTokens: true, uniqueKeys: false, prettyErrors: false }),
    {
      onError: (source: unknown, code: string, message: string, warning?: boolean) => {
        if (warning === true) return;
        // The library catches and reports this exception.
        if (thrown !== undefined) throw thrown;
        try {
          onError(source, code, message);
        } catch (error) {
          thrown = error;
          throw error;
        }
      },
    },
  );
}

/**
 * Counts the tokens of a large text before composing it, which takes ten times as long.
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

/**
 * @throws DragomanError at a lone carriage return, which is a line break in the specification and libyaml, but text in
 * the library
 */
function checkLineBreaks(text: string): void {
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    if (text[at + 1] !== '\n')
      throw syntaxError(
        text,
        at,
        'a carriage return without a line feed, which not all readers treat as a line break',
        'Convert the line ends of the file to LF or CRLF.',
      );
  }
}

/** @throws DragomanError if a flow collection is unclosed; the library's error would concern later lines */
function checkBrackets(text: string, stack: readonly CST.Token[]): void {
  const open = stack.find((token) => token.type === 'flow-collection' && token.end.length === 0);
  if (open) throw syntaxError(text, open.offset, 'this bracket is never closed');
}

/** The members of the library's lexer that are overridden. */
interface LexerState {
  readonly buffer: string;
  readonly pos: number;
  indentNext: number;
}

/**
 * The library's lexer, changed to accept the same input as libyaml, which most programs use. The lines of a quoted text
 * or flow collection need not be indented; document markers still end both. A comment in the first column or a blank
 * line between a key and its value does not affect the value's indentation.
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

/**
 * Whether the end of the file or a document marker cuts off a quoted text: an escaped quote at its end does not close
 * it.
 */
function isOpenQuote(lexeme: string): boolean {
  const quote = lexeme[0];
  if (quote !== '"' && quote !== "'") return false;
  const escape = quote === '"' ? '\\' : quote;
  const last = lexeme.length - 1;
  let first = last;
  while (first > 1 && lexeme[first - 1] === escape) first--;
  return last === 0 || lexeme[last] !== quote || (last - first) % 2 === 1;
}

/** Whether a lexeme is white space, a line break or a comment. */
function isTrivia(lexeme: string): boolean {
  const first = lexeme.charCodeAt(0);
  return first <= 0x20 || first === 0x23;
}

/** Whether the library rejects a valid comment. */
function isMistaken(text: string, code: string, offset: number): boolean {
  // Above a key in brackets, the library reads a comment as a separate, invalid item.
  if (code === 'IMPOSSIBLE') return true;
  // After the last value of a flow map, the library does not notice that the comment begins a line.
  return code === 'MISSING_CHAR' && text[offset] === '#' && text[offset - 1] === '\n';
}

function offsetOf(source: unknown): number {
  if (typeof source === 'number') return source;
  if (Array.isArray(source)) return Number(source[0]);
  if (typeof source === 'object' && source !== null && 'offset' in source) return Number(source.offset);
  return 0;
}

export function syntaxError(text: string, offset: number, message: string, hint?: string): DragomanError {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const tabbed = /^ *\t/.test(text.slice(lineStart, lineStart + 1000));
  return new DragomanError(
    'unreadable_input',
    tabbed ? 'a tab indents this line; YAML allows only spaces' : message,
    {
      at: positionAt(text, offset),
      hint: tabbed ? 'Replace the tab with spaces.' : hint,
    },
  );
}

export function limitError(text: string, offset: number, message: string): DragomanError {
  return new DragomanError('limit_exceeded', message, { at: positionAt(text, offset) });
}

/**
 * Rejects input in block maps that the library accepts but other readers do not: the library would lose values, and the
 * result would depend on surrounding lines.
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
      throw syntaxError(text, mark.offset, 'a key and its colon must be on one line');
  }
}

/** Whether only white space and collection indicators precede `offset` on its line. */
function beginsEntry(text: string, offset: number): boolean {
  return /^ *(?:[-?:] +)*$/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}

function has(tokens: readonly CST.SourceToken[], wanted: CST.SourceToken['type']): boolean {
  return tokens.some(({ type }) => type === wanted);
}
