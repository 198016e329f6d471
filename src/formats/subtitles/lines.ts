/** One line of a text: `end` is before its line break, `next` behind it. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** The lines of a text; CRLF, LF and a lone CR each end one. */
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(/\r\n|\n|\r/g)) {
    const next = index + found.length;
    lines.push({ start, end: index, next });
    start = next;
  }
  if (start < text.length) lines.push({ start, end: text.length, next: text.length });
  return lines;
}
