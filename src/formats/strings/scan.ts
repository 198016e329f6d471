import type { Span } from '../../base/span.ts';
import { DuplicateKeys, makeDocument } from '../document.ts';
import type { ScanOptions, Slot, Document, DocumentWarning } from '../format.ts';
import { isBare, quoteStrings, type Spelling } from './encode.ts';
import { TextSlot, type TextWriter } from '../text-slot.ts';
import type { StringToken } from './lexer.ts';
import { type StringsEntry, type StringsFile, readStrings, readTree, type StringsTree } from './reader.ts';

/**
 * The key of an Interface Builder text, such as `2YJ-bg-OdR.title` or `12.headerCell.title`, which is displayed without
 * formatting.
 */
const OF_INTERFACE = /^(?:[0-9A-Za-z]{3}-[0-9A-Za-z]{2}-[0-9A-Za-z]{3}|\d{1,6})\.[A-Za-z]+/;

/** How an entry's string is written. */
interface StringPlace {
  readonly quote: StringToken['quote'];
  /** If an entry has no value, its key is also its value, and a new value is written after it. */
  readonly keyStart: number | undefined;
}

function slotOf(
  writer: TextWriter<StringPlace>,
  { key, value, end }: StringsEntry,
  comment: string | undefined,
): Slot {
  const found = {
    key: [key.value],
    value: (value ?? key).value,
    span: value ? value.span : { start: end, end },
    syntax: OF_INTERFACE.test(key.value) ? 'plain' : 'apple',
    comment,
  } as const;
  const quote = value ? value.quote : (key.quote ?? '"');
  return new TextSlot(writer, found, { quote, keyStart: value ? undefined : key.span.start });
}

/** Creates one slot for each value that is a string. */
function slotsOf(file: StringsFile, options: ScanOptions): readonly Slot[] {
  const { text } = file;
  const spelling = { escapes: escapesOf(file), encodable: options.encodable ?? (() => true) };
  const writer: TextWriter<StringPlace> = {
    text,
    write: (value, own, { quote, keyStart }, { end }) => {
      const opening = keyStart === undefined ? '' : ' = ';
      if (quote === undefined && isBare(value)) return opening + value;
      const raw = keyStart === undefined ? own : text.slice(keyStart, end);
      const spelled = { ...spelling, rawBreak: rawBreakOf(raw), rawTab: raw.includes('\t') };
      return opening + quoteStrings(value, { ...spelled, quote: quote ?? '"' });
    },
  };
  const slots: Slot[] = [];
  for (const entry of file.entries) {
    if (entry.value || entry.keyOnly) slots.push(slotOf(writer, entry, commentOf(text, entry.comments)));
  }
  return slots;
}

function rawBreakOf(raw: string): Spelling['rawBreak'] {
  if (raw.includes('\r\n')) return '\r\n';
  return raw.includes('\n') ? '\n' : raw.includes('\r') ? '\r' : undefined;
}

/** Escapes new values if the file escapes all its non-ASCII characters. */
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

/** The text that genstrings writes if the developer gave no comment. */
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

export function scan(text: string, options: ScanOptions = {}): Document<StringsTree> {
  const file = readStrings(text);
  const found = { text, slots: slotsOf(file, options), dialect: 'Apple strings' };
  return makeDocument({ ...found, warnings: duplicates(file.entries) }, readTree);
}

function duplicates(entries: readonly StringsEntry[]): readonly DocumentWarning[] {
  const keys = new DuplicateKeys();
  for (const { key } of entries) keys.add([key.value], key.span.start);
  return keys.warnings;
}
