import { DragomanError } from '../base/errors.ts';
import { positionAt, type Edit } from '../base/span.ts';
import { duplicatesIn, makeDocument } from '../formats/document.ts';
import type { Document, Entry, Format, Key, ScanOptions } from '../formats/format.ts';
import { planInsertions, planRemovals } from '../formats/entry-changes.ts';
import { insertAt, insertBehind, lineEndOf, removeBlocks } from '../formats/lines.ts';
import { applyDialect, TextSlot, type TextWriter } from '../formats/text-slot.ts';
import type { BlockingProgram } from '../workers/blocking-program.ts';
import {
  ByteOffsets,
  type NamedDocument,
  type NamedSlot,
  readDocument,
  readEncoded,
  violation,
} from './answer.ts';

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
 * A format that a program reads. The program locates and encodes values; everything else is done here, as for every
 * other format, so that nothing outside those places is ever written.
 */
export function createProgramFormat(program: AskProgram): Format<ProgramTree> {
  return {
    scan: (text, options) => scan(program, text, options),
    retarget: ({ tree: { locale } }, { role, spelling }) =>
      locale && role === 'new' && locale.value !== spelling ? [{ span: locale.span, text: spelling }] : [],
    insert,
    remove: ({ text, entries }, keys) =>
      removeBlocks(
        text,
        planRemovals(entries, keys).map(({ span }) => span),
      ),
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
      hint: 'Format programs get at most that many.',
    });
  }
  const half = text.search(/\p{Surrogate}/u);
  if (half < 0) return;
  throw new DragomanError('unreadable_input', 'half of a character stands here', {
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
        throw new DragomanError('unencodable_value', 'the value has half of a character');
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
