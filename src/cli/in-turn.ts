import { DragomanError } from '../base/errors.ts';

/** What was done, and what ended it before all was. */
export interface Done<T> {
  readonly done: readonly T[];
  readonly error?: DragomanError | undefined;
}

/**
 * Does tasks one after the other. What is done may be paid for: an error behind it comes with it.
 *
 * @param stopped what keeps further tasks from being done, as soon as it is known
 * @throws DragomanError when the first task fails: nothing is lost then
 */
export async function doInTurn<T>(
  tasks: Iterable<() => Promise<T>>,
  stopped: () => DragomanError | undefined,
): Promise<Done<T>> {
  const done: T[] = [];
  for (const task of tasks) {
    try {
      done.push(await task());
    } catch (error) {
      if (done.length === 0 || !(error instanceof DragomanError)) throw error;
      return { done, error };
    }
    const error = stopped();
    if (error) return { done, error };
  }
  return { done };
}
