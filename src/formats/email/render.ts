import { DragomanError } from '../../base/errors.ts';
import { splice, type Edit } from '../../base/span.ts';
import { encodeCharset, isLineSafe } from './charset.ts';
import { partsOf, scanEmail, type Email } from './email.ts';
import { fieldOf, parameterOf, readStructured } from './header.ts';
import type { MimePart } from './structure.ts';
import { flattenSubject, writeSubject } from './subject.ts';
import type { TextPart } from './text-part.ts';
import { encodeTransfer, type TransferEncoding } from './transfer.ts';

export interface EmailValues {
  readonly subject?: string | undefined;
  /** New texts by index in `email.texts`. */
  readonly texts: ReadonlyMap<number, string>;
}

/** RFC 5322: the maximum length of a line without its line break. */
const MAX_LINE = 998;

/**
 * Replaces the subject and texts of a message; no other byte changes. A part keeps its charset and transfer encoding if
 * they can hold the new text. Otherwise its charset parameter becomes utf-8, and a part without an encoding becomes
 * quoted-printable.
 *
 * @throws DragomanError `integrity` if the result does not parse to the same parts and the intended texts
 */
export function renderEmail(email: Email, { subject, texts }: EmailValues): Email {
  const edits: Edit[] = [];
  const lineBreak = email.text.slice(0, email.root.header.body).includes('\r\n') ? '\r\n' : '\n';
  const frame: MessageFrame = { email, lineBreak, boundaries: boundaryLines(email) };
  if (subject !== undefined && email.subject) {
    edits.push({ span: email.subject.span, text: writeSubject(subject, email.subject, lineBreak) });
  }
  for (const [index, value] of texts) {
    const part = email.texts[index];
    if (part) edits.push(...editsOf(frame, part, value));
  }
  if (edits.length === 0) return email;
  const result = scanAgain(splice(email.text, edits));
  requireIntended(email, result, { subject, texts });
  return result;
}

/** Properties that all parts of a message share. */
interface MessageFrame {
  readonly email: Email;
  readonly lineBreak: '\r\n' | '\n';
  readonly boundaries: ReadonlySet<string>;
}

function editsOf({ email, lineBreak, boundaries }: MessageFrame, part: TextPart, value: string): Edit[] {
  const kept = encodeCharset(value, part.charset);
  const charset = kept ? part.charset : 'utf-8';
  const bytes = kept ?? encodeCharset(value, charset);
  if (!bytes) throw new DragomanError('integrity', 'the translation is not valid Unicode');
  const original = email.text.slice(part.part.body.start, part.part.body.end);
  const declares = part.part.contentType !== undefined && /charset/.test(nameList(part.part));
  const edits: Edit[] = [];
  const added: string[] = [];
  if (charset === 'utf-8' && (!kept || !declares || isMislabelled(part)) && !isAsciiOnly(bytes)) {
    charsetEdit(part.part, edits, added, email);
  }
  const transfer = transferFor(bytes, part, charset, original, boundaries);
  if (transfer !== part.transfer) {
    const field = fieldOf(part.part.header, 'content-transfer-encoding');
    if (field) edits.push({ span: field.value, text: ' quoted-printable' });
    else added.push('Content-Transfer-Encoding: quoted-printable');
  }
  if (added.length > 0 && part.part === email.root && !fieldOf(part.part.header, 'mime-version')) {
    added.unshift('MIME-Version: 1.0');
  }
  const at = part.part.header.end;
  if (added.length > 0) {
    edits.push({ span: { start: at, end: at }, text: added.map((line) => line + lineBreak).join('') });
  }
  const sample = transfer === part.transfer ? original : lineBreak;
  edits.push({ span: part.part.body, text: encodeTransfer(bytes, transfer, sample) });
  return edits;
}

function nameList({ contentType }: MimePart): string {
  return contentType?.parameters.map(({ name }) => name).join(' ') ?? '';
}

/** Whether a part declares another charset but was read as UTF-8 because of its bytes. */
function isMislabelled({ part, charset }: TextPart): boolean {
  const declared = part.contentType?.parameters.find(({ name }) => name === 'charset')?.value.toLowerCase();
  return declared !== undefined && charset === 'utf-8' && !/^utf-?8$/.test(declared.trim());
}

function isAsciiOnly(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** Labels the part as utf-8 with the smallest possible edit. */
function charsetEdit(part: MimePart, edits: Edit[], added: string[], email: Email): void {
  const field = fieldOf(part.header, 'content-type');
  if (!field || !part.contentType) {
    added.push(`Content-Type: ${part.type}; charset=utf-8`);
    return;
  }
  const parameter = part.contentType.parameters.find(({ name }) => name === 'charset');
  if (parameter) {
    const quoted = email.text[parameter.span.start] === '"';
    edits.push({ span: parameter.span, text: quoted ? '"utf-8"' : 'utf-8' });
    return;
  }
  const raw = email.text.slice(field.value.start, field.value.end);
  const end = field.value.start + raw.replace(/(?<![ \t;])[ \t;]+$/, '').length;
  const value = readStructured(email.text, field.value).value === '' ? ` ${part.type}` : '';
  edits.push({ span: { start: end, end: field.value.end }, text: `${value}; charset=utf-8` });
}

/** The part's own transfer encoding, or quoted-printable if plain lines cannot hold the bytes. */
function transferFor(
  bytes: Buffer,
  part: TextPart,
  charset: string,
  original: string,
  boundaries: ReadonlySet<string>,
): TransferEncoding {
  const { transfer } = part;
  if (transfer === 'base64' || transfer === 'quoted-printable') return transfer;
  const written = bytes.toString('latin1');
  const eightBit = /[\u0080-\u00ff]/;
  // A part that already had unlabelled 8-bit bytes may keep them.
  const safe = transfer !== '7bit' || !eightBit.test(written) || eightBit.test(original);
  const short = transfer === 'binary' || !hasLongLine(written) || hasLongLine(original);
  const ownLines = isLineSafe(charset) && !holdsBoundary(written, boundaries);
  return safe && short && ownLines ? transfer : 'quoted-printable';
}

function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > MAX_LINE + 1);
}

/** Whether a line would be taken for a boundary of the message. */
function holdsBoundary(text: string, boundaries: ReadonlySet<string>): boolean {
  if (boundaries.size === 0 || !/^--/m.test(text)) return false;
  return text.split('\n').some((line) => line.startsWith('--') && boundaries.has(line.trimEnd()));
}

/** The boundary lines of all parts. */
function boundaryLines({ root }: Email): ReadonlySet<string> {
  return new Set(
    partsOf(root).flatMap(({ contentType }) => {
      const boundary = contentType && parameterOf(contentType, 'boundary')?.trimEnd();
      return boundary === undefined ? [] : [`--${boundary}`, `--${boundary}--`];
    }),
  );
}

function scanAgain(text: string): Email {
  try {
    return scanEmail(text);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError('integrity', `the translation would break the message: ${error.message}`, {
      cause: error,
    });
  }
}

function requireIntended(before: Email, after: Email, { subject, texts }: EmailValues): void {
  const outline = ({ root }: Email): string =>
    partsOf(root)
      .map((part) => `${part.path} ${part.type}`)
      .join('\n');
  const intended = subject === undefined ? before.subject?.value : flattenSubject(subject);
  const same =
    outline(before) === outline(after) &&
    after.subject?.value === intended &&
    after.texts.length === before.texts.length &&
    after.texts.every((part, i) => part.text === (texts.get(i) ?? before.texts[i]?.text)) &&
    untouched(before) === untouched(after);
  if (!same) throw new DragomanError('integrity', 'the translated message does not read back as intended');
}

/**
 * The content that a translation must not change: bodies of all parts that are not texts, and the names of all fields
 * except MIME's.
 */
function untouched({ text, root, texts }: Email): string {
  const translated = new Set(texts.map(({ part }) => part));
  return partsOf(root)
    .map((part) => {
      const fields = part.header.fields
        .filter(({ name }) => !/^(?:subject|mime-version|content-(?:type|transfer-encoding))$/.test(name))
        .map(({ name, value }) => `${name}:${text.slice(value.start, value.end)}`);
      const leaf = part.children.length === 0 && !translated.has(part);
      return [...fields, leaf ? text.slice(part.body.start, part.body.end) : ''].join('\n');
    })
    .join('\n');
}
