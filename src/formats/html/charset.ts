const META = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9][\w.:-]{0,40})/i;

/**
 * The encoding that a page declares in a `<meta>`, as spelled there. A page whose declaration was readable is not
 * UTF-16, so a declaration of UTF-16 means UTF-8, as the HTML standard requires.
 *
 * @param head the first 1024 bytes of the file, decoded as ISO-8859-1
 */
export function declaredCharset(head: string): string | undefined {
  const name = META.exec(head.replace(/<!--[\s\S]*?-->/g, ''))?.[1];
  return name !== undefined && /^utf-?16/i.test(name) ? 'utf-8' : name;
}

/** Encodings that iconv-lite names differently from the Encoding standard. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'iso-8859-8-i': 'iso-8859-8',
  'x-mac-cyrillic': 'maccyrillic',
};

/**
 * The encoding that browsers use for a page's label: windows-1252 for iso-8859-1, latin1 and us-ascii, gbk for gb2312,
 * and so on (WHATWG Encoding, §4.2). Labels outside the standard are returned in lower case.
 */
export function charsetOfLabel(label: string): string {
  try {
    const name = new TextDecoder(label).encoding;
    return OTHER_NAMES[name] ?? name;
  } catch {
    return label.toLowerCase();
  }
}

/** The characters of the bytes 0x80 to 0x9f; the five that Windows leaves undefined are control characters. */
const HIGH =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const LACKING = new RegExp(`[^\\u0000-\\u007f\\u00a0-\\u00ff${HIGH}]`);

const bytes: ReadonlyMap<string, string> = new Map(
  Array.from(HIGH, (character, i) => [character, String.fromCharCode(0x80 + i)]),
);

/** windows-1252 as in browsers: every byte is a character (WHATWG Encoding, index-windows-1252). */
export function decodeWindows1252(buffer: Buffer): string {
  return buffer
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (byte) => HIGH.charAt(byte.charCodeAt(0) - 0x80));
}

export function isWindows1252(text: string): boolean {
  return !LACKING.test(text);
}

export function encodeWindows1252(text: string): Buffer {
  return Buffer.from(
    text.replace(/[^\u0000-\u007f\u00a0-\u00ff]/g, (character) => bytes.get(character) ?? character),
    'latin1',
  );
}
