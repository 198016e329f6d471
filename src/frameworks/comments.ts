const ENDS: ReadonlyMap<string, string> = new Map([
  ['<!--', '-->'],
  ['/*', '*/'],
]);

/**
 * Removes comments, in linear time. A comment without an end is kept.
 *
 * @param marks matches whole comments, or the beginning of those that end with `-->` or `*\/` (flag `g`)
 */
export function withoutComments(text: string, marks = /<!--/g): string {
  const kept: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  marks.lastIndex = 0;
  for (let match = marks.exec(text); match; match = marks.exec(text)) {
    const [mark] = match;
    const end = ENDS.get(mark) ?? '';
    const close = unclosed.has(mark) ? -1 : text.indexOf(end, marks.lastIndex);
    if (close < 0) {
      unclosed.add(mark);
      continue;
    }
    kept.push(text.slice(at, match.index));
    at = close + end.length;
    marks.lastIndex = at;
  }
  return kept.join('') + text.slice(at);
}
