const LETTERS: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
};

/** Control characters, line separators of older JavaScript, and unpaired surrogates. */
const SPECIAL =
  /[\\'"`\u0000-\u001f\u007f\u2028\u2029]|\$(?=\{)|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Writes a value in the notation of the old text: its quotes, and its spelling of line breaks and tabs. */
export function writeLiteral(value: string, raw: string): string {
  const quote = raw.charAt(0);
  const isTemplate = quote === '`';
  const newline = isTemplate ? /\r?\n/.exec(raw)?.[0] : undefined;
  const rawTabs = raw.includes('\t');
  const written = value.replace(SPECIAL, (found) => {
    if (found === '\\') return '\\\\';
    if (found === '$') return isTemplate ? '\\$' : '$';
    if (found === '"' || found === "'" || found === '`') return found === quote ? `\\${found}` : found;
    if (found === '\n' && newline !== undefined) return newline;
    if (found === '\t' && rawTabs) return found;
    const code = found.charCodeAt(0);
    const hex = code.toString(16);
    return LETTERS[found] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
  });
  return quote + written + quote;
}
