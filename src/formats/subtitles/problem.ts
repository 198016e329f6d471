import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import type { CueProblem } from './document.ts';

/** A problem of a file, with its place, as the error that refuses the file. */
export function problemError(text: string, { offset, message }: CueProblem): DragomanError {
  return new DragomanError('unreadable_input', message, {
    at: positionAt(text, offset),
    hint: 'A subtitle is a timing line and its text, without empty lines between them; a number may stand before.',
  });
}

/** @throws DragomanError `unreadable_input` for more problems than cues, and where there are none of both */
export function requireCues(
  text: string,
  count: number,
  problems: readonly CueProblem[],
  mayBeEmpty = false,
): void {
  const [first] = problems;
  if (first && problems.length > count) throw problemError(text, first);
  if (count === 0 && !mayBeEmpty)
    throw new DragomanError('unreadable_input', 'the file has no subtitle', { at: { line: 1, column: 1 } });
}
