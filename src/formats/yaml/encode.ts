import { isPlainText, isPrintable, quoteDouble, quoteSingle, type ScalarPlace } from './quoting.ts';
import { parseDocument } from 'yaml';
import { breakAt, lineEndAt, lineEndOf } from '../lines.ts';

/** Properties that all scalars of a file share. */
export interface YamlSurroundings {
  readonly text: string;
  /** The quotes that the file prefers when a plain scalar needs quotes. */
  readonly quote: 'single' | 'double';
  readonly encodable: ((text: string) => boolean) | undefined;
}

/**
 * Writes `value` in the style of its place if possible, otherwise in one that can hold the value: double quotes always
 * can.
 */
export function encodeScalar(around: YamlSurroundings, place: ScalarPlace, value: string): string {
  const old = (): string => around.text.slice(place.span.start, place.span.end);
  if (place.style === 'block') {
    const quoted = quoteDouble(value, around.encodable);
    return encodeBlock(around.text, place, value, quoted, isPrintable(value, around.encodable));
  }
  if (place.style === 'double') return quoteDouble(value, around.encodable, old());
  if (!isPrintable(value, around.encodable)) return quoteDouble(value, around.encodable);
  if (place.style === 'plain' && isPlainText(value, place.flow)) return value;
  if (value.includes('\n')) return quoteDouble(value, around.encodable);
  if (place.style === 'plain' && (around.quote === 'double' || /^[^"\\]*'[^"\\]*$/.test(value))) {
    return quoteDouble(value, around.encodable);
  }
  return quoteSingle(value);
}

/** Writes any text as a scalar of a flow collection, or as a key. */
export function encodeFlowScalar(around: YamlSurroundings, value: string): string {
  return encodeScalar(around, { style: 'plain', flow: true, indent: 0, span: { start: 0, end: 0 } }, value);
}

const HEADER = /^([|>])([-+\d]*)([^\n]*?)(\r?\n|$)/;
/** Blank lines that `+` would include in the value. */
const BLANK_LINES = /(?:\r?\n)*/y;
/** Lines of spaces after a block: a line that is indented deeper than the block belongs to its value. */
const SPACED_LINES = /(?: *\r?\n)*/y;

/** A value with more trailing line breaks is quoted. */
const MAX_BREAKS = 100;

interface BlockScalarParts {
  readonly folded: boolean;
  readonly chomping: string;
  /** The indentation indicator; 0 without one. */
  readonly indicator: number;
  /** White space and comment after the header. */
  readonly note: string;
  /** The line break after the header; undefined if nothing follows. */
  readonly lineBreak: string | undefined;
  /** Column of the content. */
  readonly indent: number;
  readonly lines: readonly string[];
}

/**
 * Writes a value as the block scalar at `place` and keeps as much of its header as possible: the chomping depends on
 * the trailing line breaks, and an indentation indicator is added if the text begins with a space. The line break after
 * the block is not included.
 *
 * @param quoted the value in double quotes, for values that a block cannot hold
 * @param printable whether the whole value can be written raw
 */
function encodeBlock(
  text: string,
  place: ScalarPlace,
  value: string,
  quoted: string,
  printable: boolean,
): string {
  const parent = Math.max(place.indent, 0);
  const block = readBlock(text.slice(place.span.start, place.span.end), parent);
  const instead = quoted + block.note;
  const body = /^([^]*[^\n])(\n*)$/.exec(value);
  // Readers disagree about white-space lines and about tabs next to the indentation.
  if (!printable || !body || /^[ \t]+$|^[ \t]*\t/m.test(value)) return instead;
  const [, words = '', breaks = ''] = body;
  const next = breakAt(text, place.span.end);
  const start = place.span.end + next;
  const after = blankLinesAfter(text, start);
  const chomping = chompingFor(block.chomping, breaks.length, next > 0, after);
  if (chomping === undefined) return instead;
  const indicator = block.indicator > 0 || !/^\n* /.test(words) ? block.indicator : block.indent - parent;
  if (indicator < 0 || indicator > 9) return instead;
  const pad = ' '.repeat(block.indent);
  const lines = block.folded ? foldLines(words, wrapWidth(block)) : words.split('\n');
  const written = [
    `${block.folded ? '>' : '|'}${indicator > 0 ? String(indicator) : ''}${chomping}${block.note}`,
    ...lines.map((line) => (line === '' ? '' : pad + line)),
    ...Array<string>(Math.max(breaks.length - 1, 0)).fill(''),
  ].join(block.lineBreak ?? lineEndOf(text));
  const ending = text.slice(place.span.end, endOfBlankLines(text, start));
  return readsBack(written, parent, ending, value) ? written : instead;
}

/**
 * The chomping indicator for a value with this many trailing line breaks: the old one if it fits, undefined if no
 * indicator does. The end of the file is not a line break, and `+` would include following blank lines.
 */
function chompingFor(old: string, breaks: number, closed: boolean, after: number): string | undefined {
  if (!closed) return breaks === 0 ? old : undefined;
  if (breaks === 0) return '-';
  if (breaks === 1) return old === '-' || after > 0 ? '' : old;
  return after > 0 || breaks > MAX_BREAKS ? undefined : '+';
}

function readBlock(source: string, parent: number): BlockScalarParts {
  const [whole = '', style, marks = '', note = '', lineBreak = ''] = HEADER.exec(source) ?? [];
  const digit = Number(/\d/.exec(marks)?.[0] ?? 0);
  const lines = source.slice(whole.length).split(/\r?\n/);
  const found = lines.find((line) => /[^ ]/.test(line))?.search(/[^ ]/) ?? parent + 2;
  return {
    folded: style === '>',
    chomping: /[-+]/.exec(marks)?.[0] ?? '',
    indicator: digit,
    note,
    lineBreak: lineBreak === '' ? undefined : lineBreak,
    indent: digit > 0 ? parent + digit : found,
    lines,
  };
}

/** The width at which the old text was folded; infinite if each of its paragraphs was one line. */
function wrapWidth({ lines, indent }: BlockScalarParts): number {
  const words = lines.map((line) => line.slice(indent).trimEnd());
  const folded = words.some((line, i) => /^[^ \t]/.test(line) && /^[^ \t]/.test(words[i + 1] ?? ''));
  if (!folded) return Infinity;
  return words.reduce((widest, line) => (/^[ \t]/.test(line) ? widest : Math.max(widest, line.length)), 40);
}

/** The number of following blank lines; `Infinity` if one of them contains spaces. */
function blankLinesAfter(text: string, start: number): number {
  BLANK_LINES.lastIndex = start;
  const blank = BLANK_LINES.exec(text)?.[0] ?? '';
  const end = BLANK_LINES.lastIndex;
  const spaced = text[end] === ' ' && text.slice(end, lineEndAt(text, end)).trim() === '';
  return spaced ? Infinity : blank.replaceAll('\r', '').length;
}

/** The offset after all lines from `start` that are empty or contain only spaces. */
function endOfBlankLines(text: string, start: number): number {
  SPACED_LINES.lastIndex = start;
  SPACED_LINES.exec(text);
  const end = SPACED_LINES.lastIndex;
  return text.slice(end, lineEndAt(text, end)).trim() === '' ? text.length : end;
}

/** Parses the scalar in a separate document, at the same indentation and with its following blank lines. */
function readsBack(written: string, indent: number, ending: string, value: string): boolean {
  const pad = ' '.repeat(indent);
  const next = ending.endsWith('\n') ? `${pad}z: z\n` : '';
  const source = `${pad}k: ${written}${ending}${next}`;
  const tree = parseDocument(source, { schema: 'failsafe', prettyErrors: false });
  const found = tree.errors.length === 0 ? tree.get('k') : undefined;
  return found === value || (ending === '' && found === `${value}\n`);
}

/**
 * Lines of a folded block scalar that read back as `text`: a line break between two ordinary lines needs a blank line;
 * next to a line that begins with white space it is literal.
 *
 * @param text not empty, not ending in a line break
 * @param width where to break long lines, in characters; `Infinity` for one line per paragraph
 */
function foldLines(text: string, width: number): readonly string[] {
  const out: string[] = [];
  let previous: string | undefined;
  let breaks = 0;
  for (const line of text.split('\n')) {
    if (line === '') {
      breaks++;
      continue;
    }
    if (previous === undefined) pushBlank(out, breaks);
    else pushBlank(out, isOrdinary(previous) && isOrdinary(line) ? breaks : breaks - 1);
    if (isOrdinary(line)) wrap(line, width, out);
    else out.push(line);
    previous = line;
    breaks = 1;
  }
  return out;
}

function isOrdinary(line: string): boolean {
  return !line.startsWith(' ') && !line.startsWith('\t');
}

function pushBlank(lines: string[], count: number): void {
  for (let i = 0; i < count; i++) lines.push('');
}

/** Breaks only at single spaces: a fold is read as one space. */
function wrap(line: string, width: number, out: string[]): void {
  if (line.length <= width) {
    out.push(line);
    return;
  }
  let start = 0;
  let last = -1;
  for (let i = 1; i < line.length; i++) {
    if (line[i] !== ' ' || /\s/.test(line[i - 1] ?? ' ') || /\s/.test(line[i + 1] ?? ' ')) continue;
    if (i - start > width && last > start) {
      out.push(line.slice(start, last));
      start = last + 1;
    }
    last = i;
  }
  if (line.length - start > width && last > start) {
    out.push(line.slice(start, last));
    start = last + 1;
  }
  out.push(line.slice(start));
}
