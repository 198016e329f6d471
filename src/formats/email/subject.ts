import iconv from 'iconv-lite';
import libmime from 'libmime';
import type { Span } from '../../base/span.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { fieldOf, type MimeHeader } from './header.ts';

/** The subject of a message. Offsets are bytes. */
export interface Subject {
  /** The unfolded and decoded text; contains U+FFFD for encoded words that cannot be decoded. */
  readonly value: string;
  /** The place that {@link writeSubject} replaces: the field's body without leading blanks. */
  readonly span: Span;
  /** The encoding of the subject's encoded words (RFC 2047), if it has any. */
  readonly encoding: 'B' | 'Q' | undefined;
}

/** RFC 2047: the maximum length of a line with encoded words. */
const WIDTH = 76;

const NAME = 'Subject: '.length;

/** The subject in a header; undefined if it is missing or empty. */
export function readSubject(text: string, header: MimeHeader): Subject | undefined {
  const field = fieldOf(header, 'subject');
  if (!field) return undefined;
  // Only ASCII blanks: characters are bytes here, and the byte of a no-break space can be half a letter.
  const [blanks = ''] = /^[ \t\r\n]*/.exec(text.slice(field.value.start, field.value.end)) ?? [];
  const start = field.value.start + blanks.length;
  const trimmed = text.slice(start, field.value.end).replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '');
  if (trimmed === '') return undefined;
  const unfolded = trimmed.replace(/\r?\n(?=[ \t])/g, '');
  const bytes = Buffer.from(unfolded, 'latin1');
  // Raw bytes beyond ASCII are UTF-8 (RFC 6532), or windows-1252 from older programs.
  const characters = decodeUtf8(bytes) ?? iconv.decode(bytes, 'windows-1252');
  const encoding = /=\?[^?\s]+\?([BbQq])\?/.exec(trimmed)?.[1]?.toUpperCase();
  return {
    value: libmime.decodeWords(characters),
    span: { start, end: start + trimmed.length },
    encoding: encoding === 'B' || encoding === 'Q' ? encoding : undefined,
  };
}

/**
 * A subject as a field body: unchanged if it is ASCII, otherwise folded into encoded words of UTF-8. Line breaks and
 * tabs become spaces, so that a translation cannot start another field. Leading and trailing blanks survive only in
 * encoded words, because readers trim field bodies.
 */
export function writeSubject(value: string, before: Subject, lineBreak: '\r\n' | '\n'): string {
  const line = flattenSubject(value);
  if (/^[\x20-\x7e]*$/.test(line) && line.trim() === line && !line.includes('=?'))
    return foldWords(line, lineBreak);
  const foreign = line.replace(/[\x20-\x7e]+/g, '').length;
  const encoding = before.encoding === 'B' || foreign * 3 > line.length ? 'B' : 'Q';
  const words = splitForWords(line, encoding).map((chunk) => libmime.encodeWord(chunk, encoding));
  return words.join(`${lineBreak} `);
}

/** The subject on one line. */
export function flattenSubject(value: string): string {
  return value.replace(/[\r\n\t\u2028\u2029\u0085\v\f]+/g, ' ');
}

/** A translation on one line, with the leading and trailing blanks of its source. */
export function subjectLike(source: string, translation: string): string {
  const words = source.trim();
  const start = source.indexOf(words);
  const line = flattenSubject(translation).trim();
  return source.slice(0, start) + line + source.slice(start + words.length);
}

/** Folds before existing blanks: unfolding removes only the line break. */
function foldWords(line: string, lineBreak: string): string {
  let folded = '';
  let column = NAME;
  for (const [piece] of line.matchAll(/ *[^ ]+/g)) {
    if (column + piece.length > WIDTH && column > NAME) {
      folded += lineBreak;
      column = 0;
    }
    folded += piece;
    column += piece.length;
  }
  return folded;
}

/**
 * Splits a line into whole characters for encoded words; the first word is shorter, because the field's name precedes
 * it.
 */
function splitForWords(line: string, encoding: 'B' | 'Q'): string[] {
  const room = WIDTH - '=?UTF-8?Q??='.length - 1;
  const chunks: string[] = [];
  let chunk = '';
  let size = 0;
  for (const character of line) {
    const cost = encoding === 'B' ? Buffer.byteLength(character) * (4 / 3) : quotedLength(character);
    const limit = chunks.length === 0 ? room - NAME : room;
    // Base64 is written in groups of four.
    if (size + cost > limit - (encoding === 'B' ? 4 : 0) && chunk !== '') {
      chunks.push(chunk);
      [chunk, size] = ['', 0];
    }
    chunk += character;
    size += cost;
  }
  return chunk === '' ? chunks : [...chunks, chunk];
}

function quotedLength(character: string): number {
  return /[A-Za-z0-9!*+\-/ ]/.test(character) ? 1 : Buffer.byteLength(character) * 3;
}
