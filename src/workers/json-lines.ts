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
  const members = parseObject(line);
  if (!members) return { garbage: `printed a line that is not an answer: ${excerpt(line)}` };
  const { id } = members;
  if (typeof id === 'number' && isAsked(id)) return { id, members };
  return { garbage: `answered with an unknown request id: ${excerpt(line)}` };
}

function parseObject(line: Buffer): Record<string, unknown> | undefined {
  try {
    // Fatal, because a damaged character must not become a replacement character in a file.
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function excerpt(line: Buffer): string {
  return printable(line.subarray(0, EXCERPT * 4).toString('utf8'), EXCERPT);
}
