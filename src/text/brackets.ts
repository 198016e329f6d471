/**
 * Maps the offset of each opening bracket to that of its closing one. Unbalanced brackets are omitted. Always linear.
 */
export function matchBrackets(text: string, open: string, close: string): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const opened: number[] = [];
  const opening = open.charCodeAt(0);
  const closing = close.charCodeAt(0);
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === opening) opened.push(i);
    else if (c === closing) {
      const start = opened.pop();
      if (start !== undefined) partners.set(start, i);
    }
  }
  return partners;
}
