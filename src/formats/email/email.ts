import { DragomanError } from '../../base/errors.ts';
import { readSubject, type Subject } from './subject.ts';
import { readStructure, type MessageWarning, type MimePart } from './structure.ts';
import { readTextPart, type SkippedText, type TextPart } from './text-part.ts';

/** A parsed message. `text` holds one byte per character, so offsets count bytes. */
export interface Email {
  readonly text: string;
  readonly root: MimePart;
  readonly subject: Subject | undefined;
  /** The texts of the message in order, without attachments and nested messages. */
  readonly texts: readonly TextPart[];
  /** Texts that cannot be decoded or must not change. */
  readonly skipped: readonly SkippedText[];
  readonly warnings: readonly MessageWarning[];
}

/** Larger messages are refused: their parts are decoded and encoded in memory. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Header fields that sign content, which a translation would change. */
const SIGNATURES = /^(?:dkim-signature|domainkey-signature|arc-.+)$/;

/**
 * Finds the subject and the texts of an e-mail.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` with the position; see `readStructure` and `readTextPart`.
 */
export function scanEmail(text: string): Email {
  if (text.length > MAX_MESSAGE_BYTES) {
    throw new DragomanError(
      'limit_exceeded',
      `the message has more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`,
    );
  }
  const { root, warnings } = readStructure(text);
  const texts: TextPart[] = [];
  const skipped: SkippedText[] = [];
  for (const part of leavesOf(root)) {
    const read = readTextPart(text, part);
    if (read && 'reason' in read) skipped.push(read);
    else if (read) texts.push(read);
  }
  return { text, root, subject: readSubject(text, root.header), texts, skipped, warnings };
}

/** Names of the signatures that a changed subject or text invalidates, each once. */
export function signaturesOf({ root }: Email): readonly string[] {
  const fields = root.header.fields.map(({ name }) => name).filter((name) => SIGNATURES.test(name));
  const kinds = fields.map((name) => (name.startsWith('arc-') ? 'ARC' : 'DKIM'));
  const signed = partsOf(root).some(({ type }) => type === 'multipart/signed');
  return [...new Set(kinds), ...(signed ? ['S/MIME or PGP'] : [])];
}

/** The message and all its parts, in file order. */
export function partsOf(root: MimePart): readonly MimePart[] {
  return [root, ...root.children.flatMap((child) => partsOf(child))];
}

function leavesOf(root: MimePart): readonly MimePart[] {
  return partsOf(root).filter(({ children }) => children.length === 0);
}
