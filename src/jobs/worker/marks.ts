import { DragomanError } from '../../base/errors.ts';
import type { FormatDescription } from '../../formats/description.ts';

/**
 * Of an upload. Ten megabytes of ordinary entries have 300,000 to 520,000; reading so many takes two seconds and some
 * hundred megabytes, whatever they are.
 */
export const MAX_MARKS = 800_000;

/** Those of placeholders and ICU messages, in any format. */
const MESSAGE_MARKS = '{,';

const RETURN = 0x0d;
const FEED = 0x0a;

/**
 * Counts what the pieces of a file are made with, before anything is made of them. Only uploads are bounded by it: a file
 * of the user's own may take as long as it needs.
 *
 * @throws DragomanError `limit_exceeded`
 */
export function requireFewMarks(bytes: Uint8Array, { title, marks: own = '' }: FormatDescription): void {
  if (bytes.length <= MAX_MARKS) return;
  const marks = own + MESSAGE_MARKS;
  const isMark = new Uint8Array(256);
  for (const mark of marks) isMark[mark.charCodeAt(0)] = 1;
  let count = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    count += isMark[byte] ?? 0;
    if (byte === RETURN && bytes[i + 1] === FEED) i++;
  }
  if (count <= MAX_MARKS) return;
  const shown = [...new Set(Array.from(marks, (mark) => (mark < ' ' ? 'line ends' : mark)))].join(' ');
  throw new DragomanError(
    'limit_exceeded',
    `this ${title} file has ${count.toLocaleString('en')} marks (${shown}), and an upload may have ${MAX_MARKS.toLocaleString('en')}`,
    { hint: 'Divide it into several files.' },
  );
}
