import type { DragomanError } from '../../base/errors.ts';
import type { Edit } from '../../base/span.ts';
import { lineEndAt, startOfText } from '../lines.ts';
import { failAt } from '../refusal.ts';

/** Longer keywords come before their prefixes. */
const KEYWORDS = ['msgid_plural', 'msgid', 'msgstr', 'msgctxt', 'domain'] as const;
export type Keyword = (typeof KEYWORDS)[number];

/** Receives the tokens of a file as numbers, because a file of 10 MB has a million of them. */
export interface TokenSink {
  /** Whether to stop reading. */
  readonly isDone: boolean;
  /** The offsets from `#` to the end of the line, without the line break. */
  comment(start: number, end: number, obsolete: boolean): void;
  /**
   * @param index `n` in `msgstr[n]`
   * @param obsolete on a `#~` line
   */
  keyword(keyword: Keyword, index: number | undefined, start: number, end: number, obsolete: boolean): void;
  /** The span includes the quotes. */
  string(start: number, end: number, obsolete: boolean): void;
}

/** More forms than any language has, but few enough to limit the output that a file can cause. */
const MAX_FORMS = 32;

/** `n` in `msgstr[n]`, after the keyword. */
const INDEX = /[ \t]*\[[ \t]*(\d{1,9})[ \t]*\]/y;

const LF = 10;
const HASH = 35;
const TILDE = 126;
const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Passes on each token in file order until the sink is done.
 *
 * @throws DragomanError `unreadable_input` for input that is not a comment, keyword or string
 */
export function readTokens(text: string, sink: TokenSink): void {
  let at = startOfText(text);
  while (at < text.length && !sink.isDone) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) at++;
    else if (code === HASH) at = readComment(text, at, sink);
    else {
      const end = readWord(text, at, false, sink);
      if (end === undefined) throw explain(text, at);
      at = end;
    }
  }
}

/** A comment, or the tokens of a `#~` line. A malformed `#~` line is just a comment, which is never used. */
function readComment(text: string, start: number, sink: TokenSink): number {
  const end = lineEndAt(text, start);
  const obsolete = text.charCodeAt(start + 1) === TILDE;
  const words = obsolete && text.charAt(start + 2) !== '|' && readObsolete(text, start + 2, end, undefined);
  if (words) readObsolete(text, start + 2, end, sink);
  else sink.comment(start, end, obsolete);
  return end;
}

/** @returns whether the line consists of keywords and strings */
function readObsolete(text: string, start: number, end: number, sink: TokenSink | undefined): boolean {
  for (let at = start; at < end;) {
    if (isBlank(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const next = readWord(text, at, true, sink);
    if (next === undefined) return false;
    at = next;
  }
  return true;
}

/** @returns the end of the string or keyword at `start`; undefined for anything else */
function readWord(
  text: string,
  start: number,
  obsolete: boolean,
  sink: TokenSink | undefined,
): number | undefined {
  if (text.charCodeAt(start) === QUOTE) {
    const end = stringEnd(text, start);
    if (end !== undefined) sink?.string(start, end, obsolete);
    return end;
  }
  const keyword = keywordAt(text, start);
  if (keyword === undefined) return undefined;
  let end = start + keyword.length;
  let index: number | undefined;
  if (keyword === 'msgstr') {
    INDEX.lastIndex = end;
    const found = INDEX.exec(text)?.[1];
    if (found !== undefined) {
      index = Number(found);
      end = INDEX.lastIndex;
    }
  }
  if (index !== undefined && index >= MAX_FORMS) return undefined;
  sink?.keyword(keyword, index, start, end, obsolete);
  return end;
}

function keywordAt(text: string, start: number): Keyword | undefined {
  const keyword = KEYWORDS.find((word) => text.startsWith(word, start));
  return keyword === undefined || isWordPart(text.charCodeAt(start + keyword.length)) ? undefined : keyword;
}

function isWordPart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

function explain(text: string, at: number): DragomanError {
  if (text.charCodeAt(at) === QUOTE) {
    const hint = 'Each line of a PO string has its own quotes.';
    return failAt(text, at, 'this string is not closed on its line', hint);
  }
  const keyword = keywordAt(text, at);
  if (keyword !== undefined) {
    INDEX.lastIndex = at + keyword.length;
    const form = keyword + (INDEX.exec(text)?.[0] ?? '');
    return failAt(text, at, `${form}: no language has more than ${MAX_FORMS} forms`);
  }
  const word = /^[^\s"]{0,40}/.exec(text.slice(at, at + 40))?.[0] ?? '';
  return failAt(text, at, `unknown keyword ${JSON.stringify(word)}`);
}

function stringEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === LF) return undefined;
    if (code === BACKSLASH && text.charCodeAt(at + 1) !== LF) at++;
  }
  return undefined;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/**
 * Shift_JIS characters whose second byte is a backslash. Old tools read bytes, so files made for them have a second
 * backslash after each of these characters. Files made for gettext do not, because it reads characters.
 */
const AFFECTED = '―ソЫⅨ噂浬欺圭構蚕十申曾箪貼能表暴予禄兔喀媾彌拿杤歃濬畚秉綵臀藹觸軆鐔饅鷭偆砡纊犾';
const PAIR = new RegExp(`([${AFFECTED}])\\\\`, 'g');
const CHARACTER = new RegExp(`[${AFFECTED}]`, 'g');
const SINGLE_OUTSIDE_COMMENTS = new RegExp(`^(?!#).*[${AFFECTED}](?!\\\\)`, 'm');

/** A filler that does not occur in text files, of the same length as the backslash that it replaces. */
const FILLER = '\u0000';

/** Whether a file is written for tools that read bytes: every affected character is followed by a second backslash. */
export function doublesTrailBytes(text: string, charset: string | undefined): boolean {
  if (!/^(?:shift[-_]?jis|sjis|x-sjis|cp932|windows-31j|ms_kanji)$/i.test(charset ?? '')) return false;
  return text.search(PAIR) >= 0 && !SINGLE_OUTSIDE_COMMENTS.test(text);
}

/** Replaces every second backslash with a filler, so that offsets do not change. */
export function hideTrailBytes(text: string): string {
  return text.replace(PAIR, `$1${FILLER}`);
}

/** Edits that remove every second backslash. */
export function secondTrailBytes(text: string): readonly Edit[] {
  return Array.from(text.matchAll(PAIR), ({ index }) => ({
    span: { start: index + 1, end: index + 2 },
    text: '',
  }));
}

export function dropFillers(value: string): string {
  return value.replaceAll(FILLER, '');
}

export function doubleTrailBytes(quoted: string): string {
  return quoted.replace(CHARACTER, '$&\\');
}
