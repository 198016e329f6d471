/** A half-open range of UTF-16 code units in a decoded text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces the text in `span` with `text`. An empty span inserts. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** Line and column, both from 1; columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Applies edits: no byte outside their spans changes. All of the program's edits go through here. Insertions at one
 * place keep their order.
 *
 * @throws RangeError if edits overlap or lie outside the text: a defect of the caller
 */
export function splice(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const ordered = isOrdered(edits) ? edits : [...edits].sort(byPlace);
  const parts: string[] = [];
  let at = 0;
  for (const { span, text: replacement } of ordered) {
    if (span.start < at || span.end < span.start || span.end > text.length) {
      throw new RangeError(`edit [${span.start}, ${span.end}) overlaps another or leaves the text`);
    }
    parts.push(text.slice(at, span.start), replacement);
    at = span.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

const byPlace = (a: Edit, b: Edit): number => a.span.start - b.span.start || a.span.end - b.span.end;

/** Edits usually come in file order: sorting them takes as long as applying them. */
function isOrdered(edits: readonly Edit[]): boolean {
  let before: Edit | undefined;
  for (const edit of edits) {
    if (before && byPlace(before, edit) > 0) return false;
    before = edit;
  }
  return true;
}

/** Index of the first of these spans, which are in order, that begins at or after an offset. */
export function firstFrom(spans: readonly Pick<Span, 'start'>[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position of `offset`. CRLF, LF and a lone CR each end a line. */
export function positionAt(text: string, offset: number): Position {
  return positionsIn(text)(offset);
}

/** The offset of a position, the inverse of {@link positionAt}. */
export function offsetOf(text: string, { line, column }: Position): number {
  const starts = lineStarts(text);
  return Math.min((starts[line - 1] ?? text.length) + column - 1, text.length);
}

/** Same as {@link positionAt}, for many offsets of one text: the lines are found once, at the first call. */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    const at = Math.min(offset, text.length);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  if (text.includes('\r')) {
    for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length);
  } else for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
