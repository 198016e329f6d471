import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import type { Entry, Key } from '../format.ts';
import { blankEnd, refuseLoneReturns } from '../lines.ts';
import { readValue } from './encode.ts';

/** A line of a file that is not blank. */
export type IniLine = (
  | { readonly kind: 'comment' | 'other' }
  | { readonly kind: 'section'; readonly name: string }
  | {
      readonly kind: 'pair';
      readonly name: string;
      readonly value: string;
      /** The value with its quotes. */
      readonly valueSpan: Span;
    }
) & {
  /** The place of the line without the blanks around it. */
  readonly span: Span;
  /** Whether the line is the first, or follows a blank line. */
  readonly isBelowBlank: boolean;
};

/**
 * Reads a file line by line: sections, `key = value`, and comments after `;` and `#`.
 *
 * @throws DragomanError `unreadable_input` with the place of an unclosed section heading or a lone carriage return
 */
export function* readLines(text: string): Generator<IniLine> {
  refuseLoneReturns(text, 'INI files');
  let isBelowBlank = true;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(start, end);
    const body = line.trim();
    const from = start + line.length - line.trimStart().length;
    if (body !== '') yield readLine(text, { start: from, end: from + body.length }, isBelowBlank);
    isBelowBlank = body === '';
    start = end + 1;
  }
}

function readLine(text: string, span: Span, isBelowBlank: boolean): IniLine {
  const line = text.slice(span.start, span.end);
  const shared = { span, isBelowBlank };
  const first = line.charAt(0);
  if (first === ';' || first === '#') return { kind: 'comment', ...shared };
  if (first === '[') {
    const close = line.indexOf(']');
    if (close > 0) return { kind: 'section', name: line.slice(1, close), ...shared };
    throw new DragomanError('unreadable_input', 'the name of the section is not closed', {
      at: positionAt(text, span.start),
      hint: 'Add ] where it ends.',
    });
  }
  const sign = line.indexOf('=');
  const name = line.slice(0, Math.max(sign, 0)).trimEnd();
  if (name === '') return { kind: 'other', ...shared };
  const start = blankEnd(text, span.start + sign + 1);
  const { value, length } = readValue(text.slice(start, span.end));
  return { kind: 'pair', name, value, valueSpan: { start, end: start + length }, ...shared };
}

/** The pairs and sections of a file, each with the comments above it that concern it alone. */
export interface IniTree {
  readonly text: string;
  readonly entries: readonly Entry[];
}

export function readTree(text: string): IniTree {
  const lines = [...readLines(text)];
  const entries: Entry[] = [];
  let section: { readonly name: string; readonly span: Span; readonly children: Entry[] } | undefined;
  const close = (): void => {
    if (!section) return;
    const { name, span, children } = section;
    const end = Math.max(span.end, children.at(-1)?.span.end ?? 0);
    entries.push({ key: [name], span: { start: span.start, end }, children });
  };
  for (const [index, line] of lines.entries()) {
    if (line.kind !== 'section' && line.kind !== 'pair') continue;
    const span = { start: ownStart(lines, index), end: line.span.end };
    if (line.kind === 'section') {
      close();
      section = { name: line.name, span, children: [] };
    } else if (section) section.children.push({ key: [section.name, line.name], span });
    else entries.push({ key: [line.name], span });
  }
  close();
  return { text, entries };
}

/** The offset of the comments directly above a line, unless they are the heading of several pairs. */
function ownStart(lines: readonly IniLine[], index: number): number {
  const line = lines[index];
  const next = lines[index + 1];
  const isRow = line?.kind === 'pair' && next?.kind === 'pair' && !next.isBelowBlank;
  return lines[isRow ? index : firstComment(lines, index)]?.span.start ?? 0;
}

/** The index of the first comment directly above a line; without comments, the line's own index. */
function firstComment(lines: readonly IniLine[], index: number): number {
  let first = index;
  while (lines[first]?.isBelowBlank === false && lines[first - 1]?.kind === 'comment') first--;
  return first;
}

/** The text of the comments directly above a line. */
export function commentAbove(text: string, lines: readonly IniLine[], index: number): string | undefined {
  const comments = lines.slice(firstComment(lines, index), index);
  const note = comments
    .map(({ span }) => text.slice(span.start, span.end).replace(/^[;#]+[ \t]*/, ''))
    .join('\n');
  return note.trim() === '' ? undefined : note;
}

/** The key of a pair, in a section or in none. */
export function keyOf(section: string | undefined, name: string): Key {
  return section === undefined ? [name] : [section, name];
}
