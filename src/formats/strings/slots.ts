import type { Span } from '../../base/span.ts';
import type { ScanOptions, Slot } from '../format.ts';
import type { StringToken } from './lexer.ts';
import { isBare, quoteStrings, type Spelling } from './quoting.ts';
import type { StringsFile } from './reader.ts';

/** One slot for each value that is a string. */
export function slotsOf(file: StringsFile, options: ScanOptions): readonly Slot[] {
  const { text } = file;
  const shared: Pick<Spelling, 'escapes' | 'encodable'> = {
    escapes: escapesOf(file),
    encodable: options.encodable ?? (() => true),
  };
  return file.entries.flatMap((entry): Slot[] => {
    const { key, value, keyOnly, end } = entry;
    const common = { key: [key.value], syntax: 'apple', comment: commentOf(text, entry.comments) } as const;
    if (value)
      return [{ ...common, value: value.value, span: value.span, encode: encoderOf(text, value, shared) }];
    if (!keyOnly) return [];
    const quote = encoderOf(text, { ...key, quote: key.quote ?? '"' }, shared);
    // The value is the key until there is another: then it is written behind it.
    return [
      { ...common, value: key.value, span: { start: end, end }, encode: (text) => ` = ${quote(text)}` },
    ];
  });
}

function encoderOf(
  text: string,
  { span, quote }: StringToken,
  shared: Pick<Spelling, 'escapes' | 'encodable'>,
): (value: string) => string {
  return (value) => {
    if (quote === undefined && isBare(value)) return value;
    const raw = text.slice(span.start, span.end);
    const spelling: Spelling = {
      ...shared,
      quote: quote ?? '"',
      rawBreak: rawBreakOf(raw),
      rawTab: raw.includes('\t'),
    };
    return quoteStrings(value, spelling);
  };
}

function rawBreakOf(raw: string): Spelling['rawBreak'] {
  if (raw.includes('\r\n')) return '\r\n';
  return raw.includes('\n') ? '\n' : raw.includes('\r') ? '\r' : undefined;
}

/** A file that spells what is not ASCII as escapes, and nothing as itself, goes on like that. */
function escapesOf({ text, entries }: StringsFile): Spelling['escapes'] {
  let letter: Spelling['escapes'];
  for (const { value } of entries) {
    if (!value) continue;
    const raw = text.slice(value.span.start, value.span.end);
    if (/[^\u0000-\u007f]/.test(raw)) return undefined;
    if (raw.includes('\\U') && /[^\u0000-\u007f]/.test(value.value)) letter = 'U';
    else if (raw.includes('\\u') && /[^\u0000-\u007f]/.test(value.value)) letter ??= 'u';
  }
  return letter;
}

/** What genstrings writes where the developer wrote nothing. */
const NO_COMMENT = 'No comment provided by engineer.';

function commentOf(text: string, comments: readonly Span[]): string | undefined {
  const notes = comments.map(({ start, end }) => {
    const raw = text.slice(start + 2, end);
    const body = text.charAt(start + 1) === '*' ? raw.slice(0, -2) : raw;
    return body.replaceAll(/\r\n?/g, '\n').trim();
  });
  const note = notes.filter((line) => line !== '' && line !== NO_COMMENT).join('\n');
  return note === '' ? undefined : note;
}
