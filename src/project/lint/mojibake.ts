/**
 * The sign of text that was decoded in the wrong encoding: UTF-8 read as Windows-1252 or ISO-8859-1 (`Ã©`, `â€™`), the
 * replacement character, or a control character of Windows-1252 read as ISO-8859-1.
 *
 * A lead byte of UTF-8 followed by exactly its continuation bytes is not found in any language by chance: `Ã` before a
 * sign such as `©` or `¤` is no word.
 */
const CONTINUATION =
  '[\\u0080-\\u00bf\\u0152\\u0153\\u0160\\u0161\\u0178\\u017d\\u017e\\u0192\\u02c6\\u02dc\\u2013-\\u203a\\u20ac\\u2122]';
const MOJIBAKE = new RegExp(
  `[\\u00c2-\\u00c3]${CONTINUATION}|\\u00e2\\u20ac${CONTINUATION}|[\\u00d0\\u00d1]${CONTINUATION}[\\u00d0\\u00d1]${CONTINUATION}|\\ufffd|[\\u0080-\\u0084\\u0086-\\u009f]`,
);

/** Some of these is in all of them, and in few texts. */
const MARK = /[\u0080-\u0084\u0086-\u009f\u00c2\u00c3\u00d0\u00d1\u00e2\ufffd]/;

/** The piece of the text that gives it away, or undefined when it looks right. */
export function findMojibake(text: string): string | undefined {
  return MARK.test(text) ? MOJIBAKE.exec(text)?.[0] : undefined;
}
