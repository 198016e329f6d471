import { DragomanError } from '../../base/errors.ts';
import { positionsIn } from '../../base/span.ts';
import { decodeCharset } from './charset.ts';
import { fieldOf, parameterOf, readStructured } from './header.ts';
import type { MimePart } from './structure.ts';
import {
  decodeTransfer,
  TransferError,
  transferEncodingOf,
  transferFailure,
  type TransferEncoding,
} from './transfer.ts';

/** A part whose text mail programs display in the message. */
export interface TextPart {
  readonly part: MimePart;
  readonly kind: 'plain' | 'html';
  readonly text: string;
  /** The actual charset of the bytes, in lower case. */
  readonly charset: string;
  readonly transfer: TransferEncoding;
  /** Set if the part is `format=flowed` (RFC 3676). */
  readonly flowed: { readonly delSp: boolean } | undefined;
  /** The offset of a line of `text` in the message; lines count from 0. */
  offsetOfLine(line: number): number;
}

/** A text that must stay unchanged, and why. */
export interface SkippedText {
  readonly offset: number;
  readonly reason: string;
}

const PGP = /^-----BEGIN PGP (?:SIGNED )?MESSAGE-----[ \t]*\r?$/m;

/**
 * The text of a part; undefined for parts that are not message texts: other types, attachments, inline files.
 *
 * @throws DragomanError `unreadable_input` with the position if the bytes do not match the part's declaration
 */
export function readTextPart(text: string, part: MimePart): TextPart | SkippedText | undefined {
  if ((part.type !== 'text/plain' && part.type !== 'text/html') || isFile(text, part)) return undefined;
  const transferField = fieldOf(part.header, 'content-transfer-encoding');
  const named = transferField ? readStructured(text, transferField.value).value : '';
  const transfer = transferEncodingOf(named);
  if (!transfer) {
    return { offset: part.body.start, reason: `unknown transfer encoding ${named}` };
  }
  const kind = part.type === 'text/html' ? 'html' : 'plain';
  const written = text.slice(part.body.start, part.body.end);
  const decoded = decodeBody(text, part, written, transfer);
  const parameter = (name: string): string | undefined =>
    part.contentType && parameterOf(part.contentType, name);
  const declared = parameter('charset') ?? (kind === 'html' ? metaCharset(decoded.bytes) : undefined);
  const charted = decodeCharset(decoded.bytes, declared);
  if (!charted) throw undecodable(text, part, declared ?? 'us-ascii');
  if (kind === 'plain' && PGP.test(charted.text)) {
    return { offset: part.body.start, reason: 'the text is encrypted or signed with PGP' };
  }
  let starts: readonly number[] | undefined;
  return {
    part,
    kind,
    ...charted,
    transfer,
    flowed:
      parameter('format')?.toLowerCase() === 'flowed'
        ? { delSp: parameter('delsp')?.toLowerCase() === 'yes' }
        : undefined,
    offsetOfLine: (line) => {
      starts ??= decoded.lineStarts();
      return part.body.start + (starts[Math.min(line, starts.length - 1)] ?? 0);
    },
  };
}

/** RFC 2183: every disposition except `inline` is an attachment. A text with a file name is a displayed file. */
function isFile(text: string, { header, contentType }: MimePart): boolean {
  const field = fieldOf(header, 'content-disposition');
  const disposition = field && readStructured(text, field.value);
  if (disposition && disposition.value !== 'inline' && disposition.value !== '') return true;
  if (disposition && parameterOf(disposition, 'filename') !== undefined) return true;
  return contentType !== undefined && parameterOf(contentType, 'name') !== undefined;
}

function decodeBody(
  text: string,
  part: MimePart,
  written: string,
  transfer: TransferEncoding,
): ReturnType<typeof decodeTransfer> {
  try {
    return decodeTransfer(written, transfer);
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    throw transferFailure(error, positionsIn(text)(part.body.start + error.offset));
  }
}

function undecodable(text: string, part: MimePart, charset: string): DragomanError {
  return new DragomanError(
    'unreadable_input',
    `the bytes of this text are invalid in its charset ${charset}`,
    {
      at: positionsIn(text)(part.body.start),
      hint: 'Declare the actual charset of the text in its Content-Type.',
    },
  );
}

/** The charset that an HTML document declares, for a part that declares none. */
function metaCharset(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 1024);
  return /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w:.+-]+)/i.exec(head)?.[1];
}
