/**
 * Offset of the first apostrophe that aapt would drop from an Android string value: not escaped by a backslash, not in
 * double quotes, not in a tag. Undefined if it drops none.
 */
export function findBareApostrophe(source: string): number | undefined {
  let quoted = false;
  for (let i = 0; i < source.length; i++) {
    switch (source[i]) {
      case '\\':
        i++;
        break;
      case '"':
        quoted = !quoted;
        break;
      case '<':
        i = endOfMarkup(source, i);
        break;
      case "'":
        if (!quoted) return i;
        break;
      case undefined:
      default:
    }
  }
  return undefined;
}

/** The last offset of a tag or comment; for CDATA, only that of its opening, because its content is text. */
function endOfMarkup(source: string, start: number): number {
  const cdata = '<![CDATA[';
  if (source.startsWith(cdata, start)) return start + cdata.length - 1;
  if (source.startsWith('<!--', start)) {
    const end = source.indexOf('-->', start + 4);
    return end < 0 ? source.length : end + 2;
  }
  let quote = '';
  for (let i = start; i < source.length; i++) {
    const c = source[i];
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '>') return i;
  }
  return source.length;
}
