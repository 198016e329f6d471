import { readFixed } from './fixed-text.ts';
import { readFlowed } from './flowed-text.ts';
import { beforeSignature, linesOf, type Paragraph } from './text-line.ts';

/**
 * Finds what is to be translated in a plain text: not quoted lines (`>`), not the signature below `-- `, not lines
 * without words. A paragraph that was wrapped by hand is one value and is wrapped again at the width of the text; so is
 * a paragraph of flowed text (RFC 3676).
 */
export function readParagraphs(
  text: string,
  flowed: { readonly delSp: boolean } | undefined,
): readonly Paragraph[] {
  const lines = beforeSignature(linesOf(text));
  return flowed ? readFlowed(lines, flowed.delSp) : readFixed(lines);
}
