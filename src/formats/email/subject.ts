import iconv from 'iconv-lite';
import libmime from 'libmime';
import type { Span } from '../../base/span.ts';
import { decodeUtf8 } from './charset.ts';
import { fieldOf, type MimeHeader } from './header.ts';

/** The subject of a message. Offsets are bytes. */
export interface Subject {
  /** Unfolded and decoded; has U+FFFD where its encoded words cannot be decoded. */
  readonly value: string;
  /** What {@link writeSubject} replaces: the field's body without the blanks before it. */
  readonly span: Span;
  /** The encoding of the encoded words there are (RFC 2047). */
  readonly encoding: 'B' | 'Q' | undefined;
}

/** RFC 2047: a line with encoded words is no longer than this. */
const WIDTH = 76;

const NAME = 'Subject: '.length;

/** The subject of the message with this header; undefined when there is none or it is empty. */
export function readSubject(text: string, header: MimeHeader): Subject | undefined {
  const field = fieldOf(header, 'subject');
  if (!field) return undefined;
  // Only what ASCII has as blanks: the characters here are bytes, and a no-break space may be half a letter.
  const [blanks = ''] = /^[ \t\r\n]*/.exec(text.slice(field.value.start, field.value.end)) ?? [];
  const start = field.value.start + blanks.length;
  const trimmed = text.slice(start, field.value.end).replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '');
  if (trimmed === '') return undefined;
  const unfolded = trimmed.replace(/\r?\n(?=[ \t])/g, '');
  const bytes = Buffer.from(unfolded, 'latin1');
  // Raw bytes beyond ASCII are UTF-8 (RFC 6532), or what programs wrote before there was a rule.
  const characters = decodeUtf8(bytes) ?? iconv.decode(bytes, 'windows-1252');
  const encoding = /=\?[^?\s]+\?([BbQq])\?/.exec(trimmed)?.[1]?.toUpperCase();
  return {
    value: libmime.decodeWords(characters),
    span: { start, end: start + trimmed.length },
    encoding: encoding === 'B' || encoding === 'Q' ? encoding : undefined,
  };
}

/**
 * A subject as a field body: as it is where it is ASCII, else in encoded words of UTF-8, folded. A subject is one line:
 * line breaks and tabs become spaces, so that no translation can begin another field. Blanks at the ends stay only in
 * encoded words: readers trim a field body.
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

/** The one line that a subject is. */
export function flattenSubject(value: string): string {
  return value.replace(/[\r\n\t\u2028\u2029\u0085\v\f]+/g, ' ');
}

/** A translation of a subject as one line, with the blanks at the ends of its source and no others. */
export function subjectLike(source: string, translation: string): string {
  const words = source.trim();
  const start = source.indexOf(words);
  const line = flattenSubject(translation).trim();
  return source.slice(0, start) + line + source.slice(start + words.length);
}

/** A fold is a line break before blanks that are there anyway: reading it takes just the line break out. */
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

/** Whole characters for each encoded word; a word of its own for what the first line has room for. */
function splitForWords(line: string, encoding: 'B' | 'Q'): string[] {
  const room = WIDTH - '=?UTF-8?Q??='.length - 1;
  const chunks: string[] = [];
  let chunk = '';
  let size = 0;
  for (const character of line) {
    const cost = encoding === 'B' ? Buffer.byteLength(character) * (4 / 3) : quotedLength(character);
    const limit = chunks.length === 0 ? room - NAME : room;
    // Base64 is written in fours.
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
