import { parseObject } from '../base/json.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { printable } from './printable.ts';

/** Maximum length of a program's answer line, in bytes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The answer of a program that uses JSON lines, and the id of its request. */
export interface LineAnswer {
  readonly id: number;
  readonly members: Readonly<Record<string, unknown>>;
}

const EXCERPT = 80;

/** Reads a line that must be a JSON object with the `id` of a request. */
export function readAnswerLine(
  line: Buffer,
  isAsked: (id: number) => boolean,
): LineAnswer | { readonly garbage: string } {
  // A damaged character must not become a replacement character in a file.
  const members = parseObject(decodeUtf8(line)?.replace(/^\ufeff/, '') ?? '');
  if (!members) return { garbage: `printed a line that is not an answer: ${excerpt(line)}` };
  const { id } = members;
  if (typeof id === 'number' && isAsked(id)) return { id, members };
  return { garbage: `answered with an unknown request id: ${excerpt(line)}` };
}

function excerpt(line: Buffer): string {
  return printable(line.subarray(0, EXCERPT * 4).toString('utf8'), EXCERPT);
}
