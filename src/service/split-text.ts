import { countCodePoints } from '../base/code-points.ts';
import { splitAtSentences } from '../text/sentence-split.ts';
import { sourceOf } from '../text/node.ts';
import { parseValue } from '../text/parse.ts';

/**
 * Splits a text into parts of at most `limit` code points, which concatenate to the text, like {@link splitAtSentences}.
 * Placeholders are never split: one that exceeds the limit is a separate part. A text with invalid syntax
 * stays whole.
 */
export function splitText(text: string, limit: number): readonly string[] {
  if (countCodePoints(text, limit) <= limit) return [text];
  const inside = findPlaceholders(text);
  return inside ? splitAtSentences(text, limit, inside) : [text];
}

/** Undefined for a text with invalid syntax, whose placeholders are unknown. */
function findPlaceholders(text: string): Uint8Array | undefined {
  const { parts, problem } = parseValue(text, 'plain');
  if (problem !== undefined) return undefined;
  const inside = new Uint8Array(text.length + 1);
  let at = 0;
  for (const { separator, nodes } of parts) {
    at += separator.length;
    for (const node of nodes) {
      const { length } = sourceOf([node]);
      // Splitting next to a placeholder would separate it from its words.
      if (node.type !== 'text') inside.fill(1, at + 1, at + length);
      at += length;
    }
  }
  return inside;
}
