import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { isPluralCategory } from '../../text/plural.ts';
import type { Entry, Key } from '../format.ts';
import { blankEnd, countBreaks, refuseLoneReturns } from '../lines.ts';

/** Deeper files are attacks or accidents; the bound keeps the parser's recursion safe. */
const MAX_DEPTH = 200;

const TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\r\n])*"|'[^'\r\n]*'|#[^\r\n]*|[[{\]}]|[^"'#[{\]}]+|["']/g;

/** @throws DragomanError `unreadable_input` or `limit_exceeded` with the place. */
export function parseToml(text: string): AST.TOMLProgram {
  refuseLoneReturns(text, 'TOML');
  requireShallow(text);
  try {
    return parseTOML(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new DragomanError('unreadable_input', error.message, {
      at: positionAt(text, Math.min(Math.max(error.index, 0), text.length)),
      cause: error,
    });
  }
}

function requireShallow(text: string): void {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth <= MAX_DEPTH) continue;
    throw new DragomanError('limit_exceeded', `values are nested deeper than ${MAX_DEPTH} levels`, {
      at: positionAt(text, index),
    });
  }
}

/** A text in a file, with the pair that it is the value of. */
export interface TomlText {
  readonly key: Key;
  readonly value: AST.TOMLStringValue;
  /** The message whose form it is, or that it belongs to. */
  readonly message: TomlMessage | undefined;
}

/** A table of go-i18n or Hugo: a text for each plural category, and what is for translators and programs. */
export interface TomlMessage {
  readonly key: Key;
  readonly description: string | undefined;
  /** Its forms in file order. */
  readonly forms: readonly AST.TOMLKeyValue[];
}

const NOT_FORMS: ReadonlySet<string> = new Set(['id', 'description', 'hash', 'leftDelim', 'rightDelim']);

type TomlTable = AST.TOMLTable | AST.TOMLInlineTable;

/** Visits all texts in file order. */
export function visitTexts(program: AST.TOMLProgram, visit: (text: TomlText) => void): void {
  const [top] = program.body;
  for (const node of top.body) {
    if (node.type === 'TOMLTable') visitTable(node, node.resolvedKey.map(String), visit);
    else visitPair(node, [], undefined, visit);
  }
}

/** Visits the tables of messages in file order. */
export function messagesOf(program: AST.TOMLProgram): readonly TomlMessage[] {
  const messages = new Set<TomlMessage>();
  visitTexts(program, ({ message }) => message && messages.add(message));
  return [...messages];
}

function visitTable(table: TomlTable, key: Key, visit: (text: TomlText) => void): void {
  const message = messageOf(table, key);
  for (const pair of table.body) {
    if (!message || !NOT_FORMS.has(nameOf(pair))) visitPair(pair, key, message, visit);
  }
}

function messageOf(table: TomlTable, key: Key): TomlMessage | undefined {
  const pairs = table.body;
  const forms = pairs.filter((pair) => isPluralCategory(nameOf(pair)) && isText(pair.value));
  if (forms.length === 0 || !pairs.every((pair) => forms.includes(pair) || NOT_FORMS.has(nameOf(pair)))) {
    return undefined;
  }
  const note = pairs.find((pair) => nameOf(pair) === 'description')?.value;
  return { key, forms, description: (note && isText(note) && note.value.trim()) || undefined };
}

function visitPair(
  pair: AST.TOMLKeyValue,
  parent: Key,
  message: TomlMessage | undefined,
  visit: (text: TomlText) => void,
): void {
  visitValue(pair.value, [...parent, ...pathOf(pair)], message, visit);
}

function visitValue(
  value: AST.TOMLContentNode,
  key: Key,
  message: TomlMessage | undefined,
  visit: (text: TomlText) => void,
): void {
  if (isText(value)) visit({ key, value, message });
  else if (value.type === 'TOMLInlineTable') visitTable(value, key, visit);
  else if (value.type === 'TOMLArray') {
    for (const [i, element] of value.elements.entries())
      visitValue(element, [...key, String(i)], undefined, visit);
  }
}

function isText(value: AST.TOMLContentNode): value is AST.TOMLStringValue {
  return value.type === 'TOMLValue' && value.kind === 'string';
}

/** The names of a pair's key: one, or several with dots between. */
function pathOf({ key }: AST.TOMLKeyValue): Key {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
}

/** The name of a pair; empty for one with dots in it. */
export function nameOf(pair: AST.TOMLKeyValue): string {
  const path = pathOf(pair);
  return path.length === 1 ? (path[0] ?? '') : '';
}

export function spanOf({ range: [start, end] }: { readonly range: readonly [number, number] }): Span {
  return { start, end };
}

export interface TomlTree {
  readonly program: AST.TOMLProgram;
  /** Pairs before the first table, then tables with their pairs. Elements of arrays of tables are none. */
  readonly entries: readonly Entry[];
  /** All pairs, each with how many names of its key are its table's. */
  readonly pairs: readonly { readonly key: Key; readonly above: number }[];
  /** The entries that are tables. */
  readonly tables: ReadonlySet<Entry>;
}

export function readTree(text: string): TomlTree {
  const program = parseToml(text);
  const holders = new Set<string>();
  visitTexts(program, ({ key }) => {
    for (let length = 1; length <= key.length; length++) holders.add(JSON.stringify(key.slice(0, length)));
  });
  const tables = new Set<Entry>();
  const names: { key: Key; above: number }[] = [];
  const comments = new CommentFinder(text, program.comments.map(spanOf));
  const pairsOf = (pairs: readonly AST.TOMLNode[], parent: Key): Entry[] =>
    pairs.flatMap((pair): Entry[] => {
      if (pair.type !== 'TOMLKeyValue') return [];
      const key = [...parent, ...pathOf(pair)];
      names.push({ key, above: parent.length });
      return holders.has(JSON.stringify(key)) ? [{ key, span: comments.around(spanOf(pair)) }] : [];
    });
  const entries: Entry[] = [];
  for (const node of program.body[0].body) {
    if (node.type !== 'TOMLTable') entries.push(...pairsOf([node], []));
    else if (node.resolvedKey.every((part) => typeof part === 'string')) {
      const key = node.resolvedKey.map(String);
      const entry = { key, span: comments.around(spanOf(node)), children: pairsOf(node.body, key) };
      entries.push(entry);
      tables.add(entry);
    }
  }
  return { program, entries, pairs: names, tables };
}

/** Finds the comments that belong to a pair or a table: those directly above, and one behind it on its line. */
class CommentFinder {
  readonly #text: string;
  readonly #comments: readonly Span[];
  #next = 0;

  constructor(text: string, comments: readonly Span[]) {
    this.#text = text;
    this.#comments = comments;
  }

  /** @param span one that begins behind those asked for before, or in the last of them */
  around(span: Span): Span {
    const comments = this.#comments;
    while ((comments[this.#next]?.start ?? Infinity) < span.start) this.#next++;
    let { start } = span;
    for (let i = this.#next - 1; i >= 0; i--) {
      const comment = comments[i];
      const lineStart = comment && this.#text.lastIndexOf('\n', comment.start - 1) + 1;
      const isAlone = comment && blankEnd(this.#text, lineStart ?? 0) === comment.start;
      if (!isAlone || countBreaks(this.#text, comment.end, start) > 1) break;
      start = comment.start;
    }
    const behind = blankEnd(this.#text, span.end);
    if (this.#text.charAt(behind) !== '#') return { start, end: span.end };
    let end = behind;
    while (end < this.#text.length && !/[\r\n]/.test(this.#text.charAt(end))) end++;
    return { start, end };
  }
}
