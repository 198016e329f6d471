import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import type { Key } from '../format.ts';
import { refuseLoneReturns } from '../lines.ts';

/** Limits the parser's recursion. Real files never nest this deep. */
const MAX_DEPTH = 200;

/** A longer table is read in several parts: no message has that many pairs. */
const PART = 20_000;
const PAIRS_OF_A_PART = 50;

const TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\r\n])*"|'[^'\r\n]*'|#[^\r\n]*|[[{\]}]|[^"'#[{\]}]+|["']/g;

/** A table, a part of a long one, or pairs above the first table. */
export interface TomlPart {
  /** The table's offset in the file, from which the parser counts. */
  readonly start: number;
  /** The key of its table, with indices in lists of tables; empty above the first table. */
  readonly key: Key;
  /** The table's header; undefined for pairs above the first table, and for the rest of a long one. */
  readonly table: AST.TOMLTable | undefined;
  /** Whether its table is in a list of tables. */
  readonly isListed: boolean;
  /** Whether this part contains all pairs of the table. */
  readonly isWhole: boolean;
  readonly pairs: readonly AST.TOMLKeyValue[];
  readonly comments: readonly AST.Comment[];
}

/**
 * Reads a file table by table: the parser's tokens and tree take two hundred times the memory of the file.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` with the place
 */
export function* readParts(text: string): Iterable<TomlPart> {
  refuseLoneReturns(text, 'TOML');
  const names = new Names();
  let at: NamedTable = { key: [], path: '', isListed: false };
  for (const { start, end, isWhole } of cut(text)) {
    const { body, comments } = parsePart(text, start, end);
    const [first, ...others] = body[0].body;
    const table = first?.type === 'TOMLTable' ? first : undefined;
    if (others.some(({ type }) => type === 'TOMLTable')) {
      throw new DragomanError('internal', 'a part of a TOML file has several tables');
    }
    if (table) at = names.enter(pathOf(table), table.kind === 'array') ?? refuse(text, start, table);
    const pairs = table?.body ?? body[0].body.filter((node) => node.type === 'TOMLKeyValue');
    for (const pair of pairs) if (!names.define(at.path, pathOf(pair))) refuse(text, start, pair);
    yield { start, key: at.key, isListed: at.isListed, table, isWhole, pairs, comments };
  }
}

/** The names of a key, which dots separate. */
export function pathOf({ key }: AST.TOMLKeyValue | AST.TOMLTable): Key {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
}

/** The place of a node in the file. */
export function spanIn(
  { start }: Pick<TomlPart, 'start'>,
  { range }: { readonly range: readonly [number, number] },
): Span {
  return { start: start + range[0], end: start + range[1] };
}

function parsePart(text: string, start: number, end: number): AST.TOMLProgram {
  try {
    return parseTOML(text.slice(start, end));
  } catch (error) {
    // The library passes the characters of a string as arguments of a function, which overflows the call stack.
    if (error instanceof RangeError)
      throw new DragomanError('unreadable_input', 'a text has more than about 100,000 characters', {
        at: positionAt(text, start),
        cause: error,
      });
    if (!(error instanceof ParseError)) throw error;
    throw new DragomanError('unreadable_input', error.message, {
      at: positionAt(text, start + Math.min(Math.max(error.index, 0), end - start)),
      cause: error,
    });
  }
}

function refuse(text: string, start: number, { key }: AST.TOMLKeyValue | AST.TOMLTable): never {
  throw new DragomanError('unreadable_input', 'a name is defined twice', {
    at: positionAt(text, start + key.range[0]),
  });
}

interface Cut extends Span {
  readonly isWhole: boolean;
}

function* cut(text: string): Iterable<Cut> {
  let start = 0;
  let pairs = 0;
  let isBegun = true;
  for (const { at, isHeader } of statementsIn(text)) {
    const isLong = at - start >= PART && pairs >= PAIRS_OF_A_PART;
    if (at > start && (isHeader || isLong)) {
      yield { start, end: at, isWhole: isBegun && isHeader };
      start = at;
      pairs = 0;
      isBegun = isHeader;
    }
    pairs++;
  }
  yield { start, end: text.length, isWhole: isBegun };
}

interface Statement {
  readonly at: number;
  readonly isHeader: boolean;
}

/** The offsets of headers and pairs. Invalid TOML ends up in a part that the parser rejects. */
function* statementsIn(text: string): Iterable<Statement> {
  let depth = 0;
  let isLineStart = true;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isBracket = token === '[' || token === '{';
    if (token === ']' || token === '}') depth = Math.max(0, depth - 1);
    else if (depth > 0 && !isBracket) continue;
    else if (isPlain(token)) {
      for (let at = 0; at !== -1;) {
        if (isLineStart) {
          at = nextInLine(token, at);
          isLineStart = at === token.length || token.charCodeAt(at) === LINE_FEED;
          if (!isLineStart) yield { at: index + at, isHeader: false };
        }
        const end = token.indexOf('\n', at);
        isLineStart ||= end !== -1;
        at = end === -1 ? -1 : end + 1;
      }
    } else if (token.startsWith('#')) isLineStart = false;
    else if (isLineStart) {
      isLineStart = false;
      yield { at: index, isHeader: token === '[' };
    }
    if (isBracket && ++depth > MAX_DEPTH) {
      throw new DragomanError('limit_exceeded', `values are nested deeper than ${MAX_DEPTH} levels`, {
        at: positionAt(text, index),
      });
    }
  }
}

const LINE_FEED = 0x0a;

function isPlain(token: string): boolean {
  return !/^["'#[{\]}]/.test(token);
}

/** The offset after the blanks of a line. */
function nextInLine(token: string, at: number): number {
  while (/[ \t\r]/.test(token.charAt(at))) at++;
  return at;
}

interface NamedTable {
  readonly key: Key;
  /** The key in the notation of {@link Names}. */
  readonly path: string;
  readonly isListed: boolean;
}

/** How a name is defined; `parent`: by the header of a nested table. */
type Kind = 'parent' | 'table' | 'list' | 'dotted' | 'value';

/** The names that a file defines. TOML only allows one way to define each. */
class Names {
  readonly #kinds = new Map<string, Kind>();
  /** The number of tables in each list of tables. */
  readonly #lengths = new Map<string, number>();

  /** @returns undefined if a name in the header is already defined in another way */
  enter(header: Key, isList: boolean): NamedTable | undefined {
    const key: string[] = [];
    let path = '';
    for (const [i, name] of header.entries()) {
      path = below(path, name);
      key.push(name);
      const kind = this.#kinds.get(path);
      let length = this.#lengths.get(path);
      if (kind === 'value') return undefined;
      if (i + 1 < header.length) {
        if (kind === undefined) this.#kinds.set(path, 'parent');
      } else if (isList) {
        if (kind !== undefined && kind !== 'list') return undefined;
        length = (length ?? 0) + 1;
        this.#kinds.set(path, 'list');
        this.#lengths.set(path, length);
      } else {
        if (kind !== undefined && kind !== 'parent') return undefined;
        this.#kinds.set(path, 'table');
      }
      if (length === undefined) continue;
      path = below(path, String(length - 1));
      key.push(String(length - 1));
    }
    return { key, path, isListed: key.length > header.length };
  }

  /** @param above the path of the pair's table */
  define(above: string, names: Key): boolean {
    let path = above;
    for (const [i, name] of names.entries()) {
      path = below(path, name);
      const kind = this.#kinds.get(path);
      const isLast = i + 1 === names.length;
      if (kind !== undefined && (isLast || (kind !== 'parent' && kind !== 'dotted'))) return false;
      this.#kinds.set(path, isLast ? 'value' : 'dotted');
    }
    return true;
  }
}

/** Creates an unambiguous path: two paths are only equal if all their names are. */
function below(path: string, name: string): string {
  return `${path}${name.length} ${name}`;
}
