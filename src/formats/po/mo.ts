import { DragomanError } from '../../base/errors.ts';
import { isHeader, readMessages } from './catalog.ts';
import { flagsOf } from './flags.ts';
import { findHeader } from './header.ts';

/** Binary catalogues, which programs read at run time. They are written whole and never edited. */

/** A message in gettext-parser's form. */
interface BinaryMessage {
  msgid: string;
  msgid_plural?: string;
  msgstr: string[];
}

/**
 * Compiles a PO file to UTF-8 as `msgfmt` does: without fuzzy, obsolete and untranslated messages.
 *
 * @throws DragomanError `unreadable_input` with the place of malformed input
 */
export async function compileMo(text: string): Promise<Uint8Array> {
  const contexts = new Map<string, Map<string, BinaryMessage>>();
  readMessages(text, (message) => {
    if (message.obsolete || isHeader(message) || flagsOf(text, message).has('fuzzy')) return;
    const msgid = message.id.value;
    const msgstr = message.forms.toSorted((a, b) => a.index - b.index).map(({ literal }) => literal.value);
    if (msgstr.every((value) => value === '')) return;
    const context = message.context?.value ?? '';
    const messages = contexts.get(context) ?? new Map<string, BinaryMessage>();
    const plural = message.plural?.value;
    messages.set(msgid, { msgid, msgstr, ...(plural !== undefined && { msgid_plural: plural }) });
    contexts.set(context, messages);
  });
  const fields = findHeader(text)?.fields ?? [];
  const headers = {
    ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    'Content-Type': 'text/plain; charset=UTF-8',
  };
  const { mo } = await import('gettext-parser');
  const translations = Object.fromEntries(
    [...contexts].map(([context, messages]) => [context, Object.fromEntries(messages)]),
  );
  return mo.compile({ charset: 'utf-8', headers, translations });
}

/**
 * Converts a binary catalogue to a PO file in UTF-8.
 *
 * @throws DragomanError `unreadable_input` for other files, and for catalogues whose texts overlap: they could be many
 * times as long as the file
 */
export async function decompileMo(bytes: Uint8Array): Promise<Uint8Array> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  requireTables(buffer);
  await requireCharset(buffer);
  const { mo, po } = await import('gettext-parser');
  try {
    return po.compile(mo.parse(buffer));
  } catch (cause) {
    throw unreadable(cause instanceof Error ? cause.message : 'its header cannot be read', cause);
  }
}

const MAGIC = 0x950412de;

/** Each text must lie in the file, and together the texts must not be longer than the file. */
function requireTables(buffer: Buffer): void {
  const isLittle = buffer.length >= 20 && buffer.readUInt32LE(0) === MAGIC;
  if (!isLittle && !(buffer.length >= 20 && buffer.readUInt32BE(0) === MAGIC))
    throw unreadable('it does not begin with the magic number');
  const numberAt = (at: number): number => (isLittle ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at));
  const count = numberAt(8);
  let total = 0;
  for (const table of [numberAt(12), numberAt(16)]) {
    if (table + count * 8 > buffer.length) throw unreadable('it ends inside a table');
    for (let at = table; at < table + count * 8; at += 8) {
      const length = numberAt(at);
      total += length;
      if (numberAt(at + 4) + length > buffer.length) throw unreadable('it ends inside a text');
    }
  }
  if (total > buffer.length) throw unreadable('its texts overlap');
}

/** gettext-parser keeps the bytes of unknown charsets and prints a warning to standard error. */
async function requireCharset(buffer: Buffer): Promise<void> {
  const charset = /charset\s*=\s*([\w-]+)/i.exec(buffer.toString('latin1'))?.[1];
  if (charset === undefined) return;
  const { default: iconv } = await import('iconv-lite');
  const isKnown: boolean = iconv.encodingExists(charset);
  if (!isKnown) throw unreadable(`its charset ${charset} is unknown`);
}

function unreadable(why: string, cause?: unknown): DragomanError {
  return new DragomanError('unreadable_input', `not a binary catalogue (.mo): ${why}`, {
    at: { line: 1, column: 1 },
    cause,
  });
}
