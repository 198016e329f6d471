/** The characters of the bytes 0x80 to 0x9f; the five that Windows does not define are control characters in pages. */
const HIGH =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const LACKING = new RegExp(`[^\\u0000-\\u007f\\u00a0-\\u00ff${HIGH}]`);

const bytes: ReadonlyMap<string, string> = new Map(
  Array.from(HIGH, (character, i) => [character, String.fromCharCode(0x80 + i)]),
);

/** windows-1252 as browsers have it: every byte is a character (WHATWG Encoding, index-windows-1252). */
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
