import type { MarkdownEvent, MarkdownToken } from './parts.ts';

/** A text whose parsing time would be out of proportion to its length. */
export class SlowText extends Error {
  /** The offset in the body. */
  readonly offset: number;
  readonly hint: string;

  constructor(offset: number, message: string, hint: string) {
    super(message);
    this.offset = offset;
    this.hint = hint;
  }
}

const DIVIDE = 'Divide it with empty lines.';

/** Emphasis marks in one text: for each mark, the parser visits all of them. */
const MAX_EMPHASIS = 4_000;

/** Marks of all kinds in one text: for each, the parser moves its records of the later ones. */
const MAX_MARKS = 5_000;
const MARK = /[*_~[\]`<&\\!@]|www\.|:\/\//gi;

/** Lines in one text, which cost less than marks. */
const MAX_LINES = 40_000;

/**
 * Limit for characters that the parser rereads per character of a text: after each unclosed opening, it reads the rest
 * of the text again. Up to this limit, rereading is as fast as parsing real markup.
 */
const MAX_VAIN = 300;

/** Texts this short are never slow. */
const SHORT = 500;

/** The opener and the closer of a notation. A run of backticks is closed by a run of the same length. */
const ENDS: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/<!--/g, /-->/g],
  [/<\?/g, /\?>/g],
  [/<!\[CDATA\[/g, /\]\]>/g],
  [/<![A-Za-z]/g, />/g],
  [/\]\(/g, /\)/g],
  [/www\.|https?:\/\//gi, /[\s<]/g],
];
const ADDRESS = /www\.|https?:\/\//i;
/**
 * Characters that may follow an address without belonging to it. At each one, the parser searches for the end of the
 * run.
 */
const BEHIND_ADDRESS = /(?:[!"'),.:;?_~*]|&[a-z]+;){2,}/gi;

/**
 * Checks the texts of a leaf before their inline content is parsed.
 *
 * @param events of blocks, with the texts as tokens that are linked across lines
 * @throws SlowText
 */
export function requireQuick(events: readonly MarkdownEvent[], body: string): void {
  for (const [type, token] of events) {
    const { contentType, previous } = token;
    if (type === 'enter' && previous === undefined && (contentType === 'text' || contentType === 'string'))
      requireQuickText(textOf(token, body), token.start.offset);
  }
}

function textOf(token: MarkdownToken, body: string): string {
  const lines: string[] = [];
  for (let line: MarkdownToken | undefined = token; line; line = line.next)
    lines.push(body.slice(line.start.offset, line.end.offset));
  return lines.join('');
}

function requireQuickText(text: string, offset: number): void {
  if (text.length <= SHORT) return;
  if (countOf(text, /[*_~]/g, MAX_EMPHASIS) > MAX_EMPHASIS)
    throw new SlowText(offset, `a paragraph has more than ${MAX_EMPHASIS} marks of emphasis`, DIVIDE);
  if (countOf(text, MARK, MAX_MARKS) > MAX_MARKS)
    throw new SlowText(offset, `a paragraph has more than ${MAX_MARKS} marks`, DIVIDE);
  if (countOf(text, /\n/g, MAX_LINES) > MAX_LINES)
    throw new SlowText(offset, `a paragraph has more than ${MAX_LINES} lines`, DIVIDE);
  if (vainIn(text) > MAX_VAIN * text.length)
    throw new SlowText(offset, 'a paragraph has too many unclosed notations', DIVIDE);
}

/** Counts the matches of a pattern, up to one more than a limit. */
function countOf(text: string, pattern: RegExp, limit: number): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (count <= limit && pattern.test(text)) count++;
  return count;
}

function vainIn(text: string): number {
  let vain = vainOfBackticks(text) + vainOfBrackets(text);
  for (const [begin, end] of ENDS) {
    let next = -1;
    for (const { index } of text.matchAll(begin)) {
      if (next <= index) {
        end.lastIndex = index;
        next = end.exec(text)?.index ?? text.length;
      }
      vain += next - index;
    }
  }
  if (ADDRESS.test(text)) for (const [run] of text.matchAll(BEHIND_ADDRESS)) vain += run.length ** 2;
  return vain;
}

function vainOfBackticks(text: string): number {
  const next = new Map<number, number>();
  let vain = 0;
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    vain += (next.get(run.length) ?? text.length) - index;
    next.set(run.length, index);
  }
  return vain;
}

/** For each bracket without an opening, the parser searches for the opening. */
function vainOfBrackets(text: string): number {
  let open = 0;
  let vain = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    if (bracket === '[') open++;
    else if (open > 0) open--;
    else vain += index;
  }
  return vain;
}
