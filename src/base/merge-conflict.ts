import { DragomanError, type ErrorCode } from './errors.ts';
import { positionAt } from './span.ts';

const MARKER = '<<<<<<< ';
const FENCE_OR_MARKER = /^(?: {0,3}(?:`{3}|~{3})|<{7} )/gm;

/**
 * Rejects a text with the markers of a git merge conflict. Some formats would translate them, and others would report a
 * wrong cause.
 *
 * @throws DragomanError `code` with the line of the first marker
 */
export function requireMerged(text: string, code: ErrorCode): void {
  if (!text.startsWith(MARKER) && !text.includes(`\n${MARKER}`)) return;
  const middle = text.lastIndexOf('\n=======', text.lastIndexOf('\n>>>>>>> '));
  let isCode = false;
  for (const { 0: found, index } of text.matchAll(FENCE_OR_MARKER)) {
    if (index > middle) return;
    // A document about git shows conflicts as code.
    if (found !== MARKER) isCode = !isCode;
    else if (!isCode) {
      throw new DragomanError(code, 'merge conflict', {
        at: positionAt(text, index),
        hint: 'Resolve the conflict that git marked here, then run the command again.',
      });
    }
  }
}
