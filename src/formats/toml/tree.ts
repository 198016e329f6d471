import type { AST } from 'toml-eslint-parser';
import type { Span } from '../../base/span.ts';
import { isPluralCategory } from '../../text/plural.ts';
import type { Entry, Key } from '../format.ts';
import { isGoNote } from '../go-i18n.ts';
import { blankEnd, countBreaks } from '../lines.ts';
import { type TomlPart, pathOf, readParts, spanIn } from './parts.ts';

/** A text in a file and the pair whose value it is. */
export interface TomlText {
  readonly key: Key;
  readonly value: string;
  /** The place, including the quotes. */
  readonly span: Span;
  /** The message of which it is a form or part. */
  readonly message: TomlMessage | undefined;
}

/** A table of go-i18n or Hugo: a text for each plural category, and notes and settings. */
export interface TomlMessage {
  readonly key: Key;
  readonly description: string | undefined;
  /** The plural forms, in file order. */
  readonly forms: readonly TomlForm[];
}

export interface TomlForm {
  readonly category: string;
  readonly span: Span;
  readonly nameEnd: number;
}

/** Visits all texts in file order. */
export function visitTexts(text: string, visit: (text: TomlText) => void): void {
  for (const part of readParts(text)) visitPart(part, visit);
}

function visitPart(part: TomlPart, visit: (text: TomlText) => void): void {
  const { pairs, key } = part;
  const message = part.table && part.isWhole ? messageOf(part, pairs, key) : undefined;
  new TomlVisitor(part, visit).pairs(pairs, key, message);
}

/** Visits the tables of messages in file order. */
export function visitMessages(text: string, visit: (message: TomlMessage) => void): void {
  let last: TomlMessage | undefined;
  visitTexts(text, ({ message }) => {
    if (message && message !== last) visit(message);
    last = message;
  });
}

class TomlVisitor {
  readonly #part: TomlPart;
  readonly #visit: (text: TomlText) => void;

  constructor(part: TomlPart, visit: (text: TomlText) => void) {
    this.#part = part;
    this.#visit = visit;
  }

  pairs(pairs: readonly AST.TOMLKeyValue[], key: Key, message: TomlMessage | undefined): void {
    for (const pair of pairs) {
      if (message && isGoNote(nameOf(pair))) continue;
      this.#value(pair.value, [...key, ...pathOf(pair)], message);
    }
  }

  #value(value: AST.TOMLContentNode, key: Key, message: TomlMessage | undefined): void {
    if (isText(value)) {
      this.#visit({ key, value: value.value, span: spanIn(this.#part, value), message });
    } else if (value.type === 'TOMLInlineTable') {
      this.pairs(value.body, key, messageOf(this.#part, value.body, key));
    } else if (value.type === 'TOMLArray') {
      for (const [i, element] of value.elements.entries())
        this.#value(element, key.concat(String(i)), undefined);
    }
  }
}

function messageOf(part: TomlPart, pairs: readonly AST.TOMLKeyValue[], key: Key): TomlMessage | undefined {
  const forms = pairs.filter((pair) => isPluralCategory(nameOf(pair)) && isText(pair.value));
  if (forms.length === 0 || !pairs.every((pair) => forms.includes(pair) || isGoNote(nameOf(pair)))) {
    return undefined;
  }
  const note = pairs.find((pair) => nameOf(pair) === 'description')?.value;
  return {
    key,
    forms: forms.map((pair) => ({
      category: nameOf(pair),
      span: spanIn(part, pair),
      nameEnd: spanIn(part, pair.key).end,
    })),
    description: (note && isText(note) && note.value.trim()) || undefined,
  };
}

function isText(value: AST.TOMLContentNode): value is AST.TOMLStringValue {
  return value.type === 'TOMLValue' && value.kind === 'string';
}

/** The name of a pair; empty for a dotted key. */
function nameOf(pair: AST.TOMLKeyValue): string {
  const path = pathOf(pair);
  return path.length === 1 ? (path[0] ?? '') : '';
}

export interface TomlTree {
  /** Pairs before the first table, then tables with their pairs. Excludes elements of arrays of tables. */
  readonly entries: readonly Entry[];
  /** All pairs, each with the number of names that belong to its table's key. */
  readonly pairs: readonly { readonly key: Key; readonly above: number }[];
  readonly tables: ReadonlySet<Entry>;
  /** The names of lists of tables. */
  readonly lists: readonly Key[];
  /** The offset of the first table, in a list or not, including its comments; the document's pairs precede it. */
  readonly firstTable: number | undefined;
}

export function readTree(text: string): TomlTree {
  const holders = new Set<string>();
  visitTexts(text, ({ key }) => {
    for (let length = 1; length <= key.length; length++) holders.add(JSON.stringify(key.slice(0, length)));
  });
  const tables = new Set<Entry>();
  const names: { key: Key; above: number }[] = [];
  const comments = new CommentFinder(text);
  const entries: Entry[] = [];
  const lists: Key[] = [];
  let firstTable: number | undefined;
  let children: Entry[] = entries;
  for (const part of readParts(text)) {
    comments.add(part);
    const { key, table } = part;
    if (table?.kind === 'array') lists.push(pathOf(table));
    if (table && (!part.isListed || firstTable === undefined)) {
      const span = comments.around(spanIn(part, table));
      firstTable ??= span.start;
      if (part.isListed) continue;
      children = [];
      const entry = { key, span, children };
      entries.push(entry);
      tables.add(entry);
    }
    if (part.isListed) continue;
    for (const pair of part.pairs) {
      const path = [...key, ...pathOf(pair)];
      names.push({ key: path, above: key.length });
      if (holders.has(JSON.stringify(path))) {
        children.push({ key: path, span: comments.around(spanIn(part, pair)) });
      }
    }
  }
  return { entries, pairs: names, tables, lists, firstTable };
}

/** Finds the comments of a pair or table: those directly above, and one after it on its line. */
class CommentFinder {
  readonly #text: string;
  readonly #comments: Span[] = [];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Adds a part's comments; those above its first pair are in the previous part. */
  add(part: TomlPart): void {
    for (const comment of part.comments) this.#comments.push(spanIn(part, comment));
  }

  /** @param span starts at or after those of earlier calls */
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
