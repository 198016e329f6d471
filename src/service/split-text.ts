import { countCodePoints } from '../base/code-points.ts';
import { cutText } from '../text/cut-text.ts';
import { sourceOf } from '../text/node.ts';
import { parseValue } from '../text/parse.ts';

/**
 * Cuts a text into parts of at most `limit` code points that joined are the text again, as {@link cutText} does. A
 * placeholder is never cut: one that is longer than the limit is a part that is too long. A text that is no message of
 * its syntax stays whole.
 */
export function splitText(text: string, limit: number): readonly string[] {
  if (countCodePoints(text, limit) <= limit) return [text];
  const inside = findPlaceholders(text);
  return inside ? cutText(text, limit, inside) : [text];
}

/** Undefined for a text that is no message: what in it is a placeholder would be a guess. */
function findPlaceholders(text: string): Uint8Array | undefined {
  const { parts, problem } = parseValue(text, 'plain');
  if (problem !== undefined) return undefined;
  const inside = new Uint8Array(text.length + 1);
  let at = 0;
  for (const { separator, nodes } of parts) {
    at += separator.length;
    for (const node of nodes) {
      const { length } = sourceOf([node]);
      // A cut right before or after a placeholder is one between it and the words.
      if (node.type !== 'text') inside.fill(1, at + 1, at + length);
      at += length;
    }
  }
  return inside;
}
