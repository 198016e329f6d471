import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';

/** RFC 3676 recommends at most 78 characters a line, including the trailing space. */
const WIDTH = 76;

/** Paragraphs of a `format=flowed` text: a line that ends with a space continues on the next one. */
function readFlowed(lines: readonly TextLine[], delSp: boolean): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let first = 0;
  while (first < lines.length) {
    const line = lines[first];
    if (!line) break;
    let last = first;
    while (!isQuoted(line) && isSoft(lines[last]) && follows(lines[last + 1])) last++;
    const run = lines.slice(first, last + 1);
    if (!isQuoted(line) && run.some(({ text }) => hasWords(text))) {
      paragraphs.push(toFlowed(run, first, delSp));
    }
    first = last + 1;
  }
  return paragraphs;
}

function isQuoted({ text }: TextLine): boolean {
  return text.startsWith('>');
}

function isSoft(line: TextLine | undefined): boolean {
  return line !== undefined && line.text.endsWith(' ');
}

/** A change of the quotation depth ends a paragraph. */
function follows(next: TextLine | undefined): boolean {
  return next !== undefined && !isQuoted(next);
}

function toFlowed(run: readonly TextLine[], line: number, delSp: boolean): Paragraph {
  const [first] = run;
  const end = run.at(-1);
  const value = run
    .map(({ text }, i) => {
      const unstuffed = text.startsWith(' ') ? text.slice(1) : text;
      return delSp && i < run.length - 1 ? unstuffed.slice(0, -1) : unstuffed;
    })
    .join('');
  const lineBreak = first?.lineBreak === '' ? '\n' : (first?.lineBreak ?? '\n');
  // A soft break at the very end, before a quoted line, remains soft.
  const tail = /(?<! ) +$/.exec(value)?.[0] ?? '';
  return {
    span: { start: first?.start ?? 0, end: end?.end ?? 0 },
    line,
    value: tail === '' ? value : value.slice(0, -tail.length),
    write: (translation) => {
      const flat = translation.replace(/\s*[\r\n]\s*/g, ' ').trimEnd();
      return flow(flat, delSp, lineBreak) + tail;
    },
  };
}

function flow(text: string, delSp: boolean, lineBreak: string): string {
  const lines: string[] = [];
  let rest = text;
  const wrapped = wrapText(text, WIDTH);
  for (const [i, line] of wrapped.entries()) {
    rest = rest.slice(line.length);
    const gap = i < wrapped.length - 1 ? (/^ */.exec(rest)?.[0] ?? '') : '';
    rest = rest.slice(gap.length);
    // Without DelSp the space before a break belongs to the words, so a line can only end at a space.
    if (gap === '' && i < wrapped.length - 1 && !delSp) return stuff(text);
    lines.push(stuff(line) + gap + (delSp && i < wrapped.length - 1 ? ' ' : ''));
  }
  return lines.join(lineBreak);
}

/** RFC 3676, 4.4: a line that looks like a quotation, a mailbox separator or a stuffed line gets a leading space. */
function stuff(line: string): string {
  return /^(?: |>|From )/.test(line) ? ` ${line}` : line;
}

/**
 * Finds the texts to translate in plain text. Skips quoted lines (`>`), the signature below `-- ` and lines without
 * words. A paragraph that was wrapped by hand is one value and is wrapped again at the width of the text, like a
 * paragraph of flowed text (RFC 3676).
 */
export function readParagraphs(
  text: string,
  flowed: { readonly delSp: boolean } | undefined,
): readonly Paragraph[] {
  const lines = beforeSignature(linesOf(text));
  return flowed ? readFlowed(lines, flowed.delSp) : readFixed(lines);
}

/** People and programs wrap mail at these widths; other line lengths do not indicate wrapping. */
const NARROWEST = 50;
const WIDEST = 100;

/** The text before the words: indentation and a list marker. */
const LEAD = /^[ \t]*(?:(?:[-*+•‣◦–]|\d{1,3}[.)]|[a-zA-Z]\))[ \t]+)?/;

/** Gaps between table columns are wider than gaps between words. */
const GAP = /(?: {3,}|\t+)/;

/** Paragraphs of a text that is not flowed. */
function readFixed(lines: readonly TextLine[]): readonly Paragraph[] {
  const width = widthOf(lines);
  const paragraphs: Paragraph[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (!line) break;
    const first = at++;
    if (!isProse(line)) continue;
    if (GAP.test(line.text.slice(leadOf(line).length).trimEnd())) {
      paragraphs.push(...readCells(line, first));
      continue;
    }
    const run = [line];
    for (let next = lines[at]; next && continues(run, next, width); next = lines[at]) {
      run.push(next);
      at++;
    }
    paragraphs.push(toFixed(run, first, width));
  }
  return paragraphs;
}

function isProse({ text }: TextLine): boolean {
  return hasWords(text) && !/^[ \t]*>/.test(text);
}

function leadOf({ text }: TextLine): string {
  return LEAD.exec(text)?.[0] ?? '';
}

/** The width at which the text was wrapped; undefined if every line is a paragraph. */
function widthOf(lines: readonly TextLine[]): number | undefined {
  let widest = 0;
  for (const line of lines) {
    // A single long link says nothing about the width of the other lines.
    if (isProse(line) && /\S\s+\S/.test(line.text)) widest = Math.max(widest, columnsOf(line.text.trimEnd()));
  }
  return widest >= NARROWEST && widest <= WIDEST ? widest : undefined;
}

/** Whether `next` continues the sentence: its first word did not fit on the line before. */
function continues(run: readonly TextLine[], next: TextLine, width: number | undefined): boolean {
  const before = run.at(-1);
  if (!before || width === undefined || !isProse(next)) return false;
  const lead = leadOf(next);
  if (/\S/.test(lead) || GAP.test(next.text.slice(lead.length).trimEnd())) return false;
  const expected = run.length === 1 ? hangingLead(before) : leadOf(before);
  if (lead !== expected) return false;
  const word = /^\S*/.exec(next.text.slice(lead.length))?.[0] ?? '';
  const needed = joinsWithoutSpace(before.text.trimEnd(), word) ? 4 : columnsOf(word) + 1;
  return columnsOf(before.text.trimEnd()) + needed > width;
}

/** The indentation of the later lines of a list item. */
function hangingLead(line: TextLine): string {
  const lead = leadOf(line);
  return /\S/.test(lead) ? lead.replace(/[^\t]/g, ' ') : lead;
}

function toFixed(run: readonly TextLine[], line: number, width: number | undefined): Paragraph {
  const [first] = run;
  const last = run.at(-1);
  if (!first || !last) throw new RangeError('a paragraph has lines');
  const lead = leadOf(first);
  const hanging = hangingLead(first);
  // Only the last line is examined: examining the joined text would copy it each time.
  let before = first.text.slice(lead.length).trimEnd();
  let value = before;
  for (const { text } of run.slice(1)) {
    const words = text.trim();
    value += (joinsWithoutSpace(before, words) ? '' : ' ') + words;
    before = words;
  }
  const lineBreak = first.lineBreak === '' ? '\n' : first.lineBreak;
  return {
    span: { start: first.start + lead.length, end: last.start + last.text.trimEnd().length },
    line,
    value,
    write: (translation) => {
      const flat = translation.replace(/\s*[\r\n]\s*/g, ' ').trim();
      if (width === undefined) return flat;
      return wrapText(flat, Math.max(20, width - columnsOf(lead))).join(lineBreak + hanging);
    },
  };
}

/** The cells of a table row, without the gaps between them. */
function readCells(line: TextLine, index: number): Paragraph[] {
  const lead = leadOf(line).length;
  return [...line.text.slice(lead).matchAll(/\S+(?: {1,2}\S+)*/g)]
    .filter(([cell]) => hasWords(cell))
    .map(({ 0: cell, index: at }) => ({
      span: { start: line.start + lead + at, end: line.start + lead + at + cell.length },
      line: index,
      value: cell,
      write: (translation) => translation.replace(/\s+/g, ' ').trim(),
    }));
}

/** A line of plain text. Offsets are UTF-16 code units. */
interface TextLine {
  readonly start: number;
  /** The offset before the line break. */
  readonly end: number;
  readonly text: string;
  /** The line break; empty at the end of the text. */
  readonly lineBreak: string;
}

/** Words of plain text that are translated as a unit. Offsets are UTF-16 code units of the text. */
interface Paragraph {
  readonly span: Span;
  /** The number of its first line, from 0. */
  readonly line: number;
  /** The text on one line, without the line breaks that wrap it. */
  readonly value: string;
  /** Lays out a value as lines for `span`, in the style of the text. */
  write(value: string): string;
}

/** Longer texts are refused: each line takes memory beyond its characters. */
const MAX_LINES = 1_000_000;

/** The lines of plain text; CRLF and LF end a line. @throws DragomanError `limit_exceeded`. */
function linesOf(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r?\n/g)) {
    lines.push({ start, end: index, text: text.slice(start, index), lineBreak });
    start = index + lineBreak.length;
    if (lines.length > MAX_LINES) {
      throw new DragomanError('limit_exceeded', `the text has more than ${MAX_LINES} lines`, {
        at: { line: MAX_LINES + 1, column: 1 },
      });
    }
  }
  if (start < text.length) {
    lines.push({ start, end: text.length, text: text.slice(start), lineBreak: '' });
  }
  return lines;
}

/**
 * `--` without its trailing space starts a signature only near the end of a text: dashes can also separate chapters.
 */
const LONGEST_SIGNATURE = 12;

/** The lines before the sender's signature, which starts with `-- ` (RFC 3676). */
function beforeSignature(lines: readonly TextLine[]): readonly TextLine[] {
  const exact = lines.findIndex(({ text }) => text === '-- ');
  if (exact !== -1) return lines.slice(0, exact);
  const worn = lines.findLastIndex(({ text }) => text === '--');
  return worn !== -1 && lines.length - worn <= LONGEST_SIGNATURE ? lines.slice(0, worn) : lines;
}

/** Whether a line has translatable words; links and rules of dashes have none. */
function hasWords(line: string): boolean {
  return /\p{L}/u.test(line) && !/^\s*<?(?:https?|ftp|mailto):\S*>?\s*$/i.test(line);
}

/** Characters of scripts without spaces, between which a line may break anywhere. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** A piece that may be on a separate line, with the punctuation that must stay with it. */
const PIECE = new RegExp(`${WIDE.source}[、。，．：；？！）」』】〉》ー々]*|(?:(?!${WIDE.source})\\S)+`, 'g');

/** The width of a text in columns of a fixed-width font. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Whether two lines can be joined without a space. */
function joinsWithoutSpace(before: string, after: string): boolean {
  return WIDE.test(before.slice(-1)) && WIDE.test(after.slice(0, 1));
}

/**
 * Breaks a text into lines of at most `width` columns. A longer piece gets its own line. Spaces at breaks are removed.
 * Only the first line may begin with a mark of a quotation or signature.
 */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = 0;
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    const gap = text.slice(end, match.index);
    const size = columnsOf(gap) + columnsOf(match[0]);
    const breakable = end > 0 && (gap !== '' || WIDE.test(match[0].charAt(0)));
    if (breakable && columns + size > width && !isRisky(text, match.index)) {
      lines.push(line);
      [line, columns] = [match[0], columnsOf(match[0])];
    } else {
      line += gap + match[0];
      columns += size;
    }
    end = match.index + match[0].length;
  }
  return [...lines, line + text.slice(end)];
}

function isRisky(text: string, offset: number): boolean {
  return /^(?:>|From |--(?:\s|$))/.test(text.slice(offset, offset + 5));
}
