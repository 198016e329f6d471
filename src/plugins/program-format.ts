import { DragomanError } from '../base/errors.ts';
import { positionAt, type Edit, type Span } from '../base/span.ts';
import { isObject } from '../base/json.ts';
import { duplicatesIn, makeDocument } from '../formats/document.ts';
import type { Document, Entry, Format, Key, ScanOptions, PluralForm } from '../formats/format.ts';
import { planInsertions, removeEntries } from '../formats/entry-changes.ts';
import { insertAt, insertBehind, lineEndOf } from '../formats/lines.ts';
import { applyDialect, TextSlot, type TextWriter } from '../formats/text-slot.ts';
import type { BlockingProgram } from '../workers/blocking-program.ts';
import { FORMAT_STRINGS } from '../text/directives.ts';
import type { Syntax } from '../text/syntax.ts';
import { printable } from '../workers/printable.ts';

/** The maximum size of a text for a program, in bytes. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** The structure of a document that edits need. */
interface ProgramTree {
  readonly entries: readonly Entry[];
  readonly locale: NamedDocument['locale'];
}

/** Sends requests to the program. */
type AskProgram = Pick<BlockingProgram, 'ask'>;

/**
 * A format that a program reads. The program locates and encodes values; everything else happens here, as for every
 * other format, so that nothing outside those places is ever written.
 */
export function createProgramFormat(program: AskProgram): Format<ProgramTree> {
  return {
    scan: (text, options) => scan(program, text, options),
    retarget: ({ tree: { locale } }, { role, spelling }) =>
      locale && role === 'new' && locale.value !== spelling ? [{ span: locale.span, text: spelling }] : [],
    insert,
    remove: removeEntries,
  };
}

function scan(
  program: AskProgram,
  text: string,
  { locale, encodable, messages }: ScanOptions = {},
): Document<ProgramTree> {
  requireReadable(text);
  const named = askForDocument(program, text, locale);
  const writer = writerOf(program, text, encodable);
  const slots = named.slots.map((slot) => new TextSlot(writer, slot, { key: slot.key, data: slot.data }));
  const notation = applyDialect(slots, messages, named.syntax);
  for (const [i, slot] of slots.entries()) slot.syntax = named.slots[i]?.syntax ?? slot.syntax;
  const tree: ProgramTree = { entries: named.entries ?? [], locale: named.locale };
  return makeDocument(
    {
      text,
      slots,
      dialect: named.syntax ?? notation.dialect,
      locale: named.locale?.value,
      warnings: duplicatesIn(slots),
    },
    () => tree,
  );
}

/** @throws DragomanError `limit_exceeded`, `unreadable_input` for a text that cannot be sent as JSON */
function requireReadable(text: string): void {
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    throw new DragomanError('limit_exceeded', `the file has more than ${MAX_TEXT_BYTES} bytes`, {
      at: { line: 1, column: 1 },
      hint: 'Format programs receive at most that many bytes.',
    });
  }
  const half = text.search(/\p{Surrogate}/u);
  if (half < 0) return;
  throw new DragomanError('unreadable_input', 'an unpaired surrogate, which is half of a character', {
    at: positionAt(text, half),
  });
}

function askForDocument(program: AskProgram, text: string, locale: string | undefined): NamedDocument {
  const reply = program.ask({ scan: { text, ...(locale !== undefined && { locale }) } });
  if ('answer' in reply) return readDocument(reply.answer, text, new ByteOffsets(text));
  throw new DragomanError('unreadable_input', reply.failure, { hint: violation('').hint });
}

function writerOf(
  program: AskProgram,
  text: string,
  encodable: ScanOptions['encodable'],
): TextWriter<Pick<NamedSlot, 'key' | 'data'>> {
  return {
    text,
    encodable,
    write: (value, raw, { key, data }) => {
      if (!value.isWellFormed())
        throw new DragomanError('unencodable_value', 'the value contains an unpaired surrogate');
      const reply = program.ask({ encode: { key, raw, value, ...(data !== undefined && { data }) } });
      if ('answer' in reply) return readEncoded(reply.answer);
      throw new DragomanError('integrity', reply.failure);
    },
  };
}

/** Entries are whole lines: a missing one is copied after its neighbour. Without entries, nothing can be inserted. */
function insert(
  { text, entries }: Document<ProgramTree>,
  skeleton: Document<ProgramTree>,
  missing: readonly Key[],
): readonly Edit[] {
  const newline = lineEndOf(text.includes('\n') ? text : skeleton.text);
  const appended: string[] = [];
  const edits = planInsertions(entries, skeleton.entries, missing).flatMap((placement): Edit[] => {
    const { start, end } = placement.entry.span;
    const lines = skeleton.text.slice(start, end).replace(/\r?\n/g, newline);
    if ('before' in placement) return [insertAt(placement.before.span.start, lines + newline)];
    if ('after' in placement) return [insertBehind(text, placement.after.span.end, newline + lines, newline)];
    appended.push(lines);
    return [];
  });
  if (appended.length === 0) return edits;
  const opening = text === '' || text.endsWith('\n') ? '' : newline;
  return [...edits, insertAt(text.length, opening + appended.join(newline) + newline)];
}

type Members = Readonly<Record<string, unknown>>;

/** A slot in a program's answer. */
interface NamedSlot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly comment: string | undefined;
  readonly plural: PluralForm | undefined;
  /** If undefined, the same as the document's. */
  readonly syntax: Syntax | undefined;
  /** Opaque; passed back to the program when it encodes a value. */
  readonly data: unknown;
}

/** A validated answer to a scan. */
interface NamedDocument {
  /** In file order, without overlaps. */
  readonly slots: readonly NamedSlot[];
  /** In file order, without overlaps; undefined if the program returned none. */
  readonly entries: readonly Entry[] | undefined;
  readonly syntax: Syntax | undefined;
  /** The language that the file declares, and its position. */
  readonly locale: { readonly value: string; readonly span: Span } | undefined;
}

const MESSAGE = 500;
const MOST_SEGMENTS = 100;
const CATEGORIES: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

/** Syntaxes whose values are text: a program's slots are never XML source. */
const SYNTAXES: readonly Syntax[] = [
  ...(['plain', 'icu', 'i18next', 'vue', 'chrome', 'ruby', 'laravel', 'java', 'apple', 'android'] as const),
  ...FORMAT_STRINGS,
];

/**
 * Validates a program's answer to a scan: every span must be within the text, and none may overlap.
 *
 * @throws DragomanError `unreadable_input`, with a position if the program rejects the text, without one if the answer
 * violates the protocol
 */
function readDocument(members: Members, text: string, offsets: ByteOffsets): NamedDocument {
  refuseUnread(members, text, offsets);
  const { slots, syntax, locale } = members;
  if (!Array.isArray(slots)) throw violation('has neither "slots" nor "error"');
  const entries: { key: Key; span: Span }[] = [];
  let [start, end] = [-1, 0];
  const named = slots.map((slot: unknown, i): NamedSlot => {
    const where = `slots[${i}]`;
    if (!isObject(slot)) throw violation(`${where} is not an object`);
    const read = readSlot(slot, where, offsets);
    if (read.span.start < end || read.span.start === start)
      throw violation(`${where} overlaps or precedes the slot before it`);
    ({ start, end } = read.span);
    if (slot['entry'] !== undefined)
      addEntry(entries, read, readSpan(slot['entry'], `${where}.entry`, offsets));
    return read;
  });
  const withEntries = slots.filter((slot: unknown) => isObject(slot) && slot['entry'] !== undefined).length;
  if (withEntries > 0 && withEntries < slots.length) throw violation('names the entries of some slots only');
  return {
    slots: named,
    entries: withEntries > 0 ? entries : undefined,
    syntax: readSyntax(syntax, 'syntax'),
    locale: locale === undefined ? undefined : readLocale(locale, text, offsets),
  };
}

/**
 * The encoded text to write for a value. @throws DragomanError `unencodable_value` if the program rejects the value,
 * `integrity`
 */
function readEncoded(members: Members): string {
  const { text, refused } = members;
  if (typeof refused === 'string') throw new DragomanError('unencodable_value', printable(refused, MESSAGE));
  if (typeof text === 'string' && text.isWellFormed()) return text;
  throw new DragomanError('integrity', 'the answer of the format’s program has neither "text" nor "refused"');
}

/** The error for an answer that violates the protocol. It has no file position, because the file is not the cause. */
function violation(what: string): DragomanError {
  return new DragomanError('unreadable_input', `the answer of the format’s program ${what}`, {
    hint: 'dragoman formats check tests a program and reports its faults.',
  });
}

function refuseUnread({ error, offset }: Members, text: string, offsets: ByteOffsets): void {
  if (error === undefined) return;
  if (typeof error !== 'string') throw violation('has an "error" that is not a string');
  const at = typeof offset === 'number' ? offsets.find(offset) : 0;
  if (at === undefined) throw violation(`has an "offset" that is not a place in the text: ${String(offset)}`);
  throw new DragomanError('unreadable_input', printable(error, MESSAGE), { at: positionAt(text, at) });
}

function readSlot(slot: Members, where: string, offsets: ByteOffsets): NamedSlot {
  const { key, value, comment, plural, syntax, data } = slot;
  if (typeof value !== 'string' || !value.isWellFormed()) throw violation(`${where}.value is not a string`);
  if (comment !== undefined && typeof comment !== 'string')
    throw violation(`${where}.comment is not a string`);
  return {
    key: readKey(key, `${where}.key`),
    value,
    span: readSpan([slot['start'], slot['end']], where, offsets),
    comment,
    plural: plural === undefined ? undefined : readPlural(plural, `${where}.plural`),
    syntax: readSyntax(syntax, `${where}.syntax`),
    data,
  };
}

/** Consecutive slots of one entry, such as plural forms, may all name it. */
function addEntry(
  entries: { key: Key; span: Span }[],
  { key, plural, span: slot }: NamedSlot,
  span: Span,
): void {
  if (slot.start < span.start || slot.end > span.end)
    throw violation(`${nameOf(key)} lies outside its entry`);
  const last = entries.at(-1);
  if (last && last.span.start === span.start && last.span.end === span.end) return;
  if (last && span.start < last.span.end)
    throw violation(`the entry of ${nameOf(key)} overlaps the one before it`);
  entries.push({ key: plural?.group ?? key, span });
}

function nameOf(key: Key): string {
  return printable(JSON.stringify(key), MESSAGE);
}

function readKey(key: unknown, where: string): Key {
  const segments: readonly unknown[] = Array.isArray(key) ? key : [];
  const isKey = (segment: unknown): segment is string =>
    typeof segment === 'string' && segment.isWellFormed();
  if (segments.length > 0 && segments.length <= MOST_SEGMENTS && segments.every(isKey)) return segments;
  throw violation(`${where} is not a list of strings`);
}

function readSpan(pair: unknown, where: string, offsets: ByteOffsets): Span {
  const [first, second]: readonly unknown[] = Array.isArray(pair) && pair.length === 2 ? pair : [];
  const start = typeof first === 'number' ? offsets.find(first) : undefined;
  const end = typeof second === 'number' ? offsets.find(second) : undefined;
  if (start !== undefined && end !== undefined && start <= end) return { start, end };
  throw violation(
    `names [${String(first)}, ${String(second)}) as ${where}: offsets count UTF-8 bytes, and point to the start of a character`,
  );
}

function readPlural(plural: unknown, where: string): PluralForm {
  const { group, category } = isObject(plural) ? plural : {};
  if (typeof category !== 'string' || !CATEGORIES.has(category))
    throw violation(`${where}.category is not a plural category`);
  return { group: readKey(group, `${where}.group`), category };
}

function readSyntax(syntax: unknown, where: string): Syntax | undefined {
  if (syntax === undefined) return undefined;
  const known = SYNTAXES.find((name) => name === syntax);
  if (known === undefined) throw violation(`has an unknown ${where}; known: ${SYNTAXES.join(', ')}`);
  return known;
}

function readLocale(locale: unknown, text: string, offsets: ByteOffsets): NamedDocument['locale'] {
  const { start, end } = isObject(locale) ? locale : {};
  const span = readSpan([start, end], 'locale', offsets);
  return { value: text.slice(span.start, span.end), span };
}

/** Converts a program's UTF-8 offsets to positions in a text. */
export class ByteOffsets {
  readonly #bytes: number;
  /**
   * By byte: the UTF-16 offset of the character that starts there, or -1 inside a character. Undefined if the text is
   * ASCII.
   */
  readonly #places: Int32Array | undefined;

  constructor(text: string) {
    this.#bytes = Buffer.byteLength(text);
    this.#places = this.#bytes === text.length ? undefined : placesIn(text, this.#bytes);
  }

  /** The UTF-16 offset; undefined inside a character or after the end. */
  find(byte: number): number | undefined {
    if (!Number.isInteger(byte) || byte < 0 || byte > this.#bytes) return undefined;
    if (!this.#places) return byte;
    const place = this.#places[byte] ?? -1;
    return place < 0 ? undefined : place;
  }
}

function placesIn(text: string, bytes: number): Int32Array {
  const places = new Int32Array(bytes + 1).fill(-1);
  let byte = 0;
  for (let at = 0; at < text.length;) {
    places[byte] = at;
    const code = text.codePointAt(at) ?? 0;
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  places[bytes] = text.length;
  return places;
}
