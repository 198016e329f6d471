/**
 * Offset of the first apostrophe in the source of an Android string value that aapt would drop: not escaped by a
 * backslash, not within double quotes, not in a tag. Undefined when there is none.
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

/** The last offset of a tag or comment; of a CDATA section only its opening, because its content counts as text. */
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
