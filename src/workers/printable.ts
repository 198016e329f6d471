/**
 * External output made safe for a message: control and format characters and lone surrogates escaped, at most `limit`
 * characters.
 */
export function printable(text: string, limit: number): string {
  const trimmed = text.trim();
  const cut = trimmed.length > limit ? `${trimmed.slice(0, limit)}…` : trimmed;
  return cut.replace(/\p{C}/gu, (c) => {
    if (c === '\n') return '\\n';
    if (c === '\t') return '\\t';
    return `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
