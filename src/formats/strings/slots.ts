import type { Span } from '../../base/span.ts';
import type { ScanOptions, Slot } from '../format.ts';
import type { StringToken } from './lexer.ts';
import { isBare, quoteStrings, type Spelling } from './quoting.ts';
import type { StringsFile } from './reader.ts';

/** What all strings of a file share. */
type Shared = Pick<Spelling, 'escapes' | 'encodable'>;

/** One slot for each value that is a string. */
export function slotsOf(file: StringsFile, options: ScanOptions): readonly Slot[] {
  const { text } = file;
  const shared = { escapes: escapesOf(file), encodable: options.encodable ?? (() => true) };
  const slots: Slot[] = [];
  for (const { key, value, keyOnly, end, comments } of file.entries) {
    if (!value && !keyOnly) continue;
    slots.push({
      key: [key.value],
      value: (value ?? key).value,
      // The value is the key until there is another: then it is written behind it.
      span: value ? value.span : { start: end, end },
      syntax: 'apple',
      comment: commentOf(text, comments),
      encode: value
        ? (wanted) => encodeLike(text, value, wanted, shared)
        : (wanted) => ` = ${encodeLike(text, { ...key, quote: key.quote ?? '"' }, wanted, shared)}`,
    });
  }
  return slots;
}

function encodeLike(text: string, { span, quote }: StringToken, value: string, shared: Shared): string {
  if (quote === undefined && isBare(value)) return value;
  const raw = text.slice(span.start, span.end);
  return quoteStrings(value, {
    escapes: shared.escapes,
    encodable: shared.encodable,
    quote: quote ?? '"',
    rawBreak: rawBreakOf(raw),
    rawTab: raw.includes('\t'),
  });
}

function rawBreakOf(raw: string): Spelling['rawBreak'] {
  if (raw.includes('\r\n')) return '\r\n';
  return raw.includes('\n') ? '\n' : raw.includes('\r') ? '\r' : undefined;
}

/** A file that spells what is not ASCII as escapes, and nothing as itself, goes on like that. */
function escapesOf({ text, entries }: StringsFile): Spelling['escapes'] {
  let letter: Spelling['escapes'];
  if (!/\\u/i.test(text)) return undefined;
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
  let note = '';
  for (const { start, end } of comments) {
    const isBlock = text.charAt(start + 1) === '*';
    const raw = text.slice(start + 2, isBlock ? end - 2 : end).trim();
    if (raw === '' || raw === NO_COMMENT) continue;
    const line = raw.includes('\r') ? raw.replaceAll(/\r\n?/g, '\n') : raw;
    note = note === '' ? line : `${note}\n${line}`;
  }
  return note === '' ? undefined : note;
}
