import { DragomanError } from '../base/errors.ts';

/** What was done, in the order of the tasks, and what ended it before all was. */
export interface Done<T> {
  readonly done: readonly T[];
  readonly error?: DragomanError | undefined;
}

export interface TaskOptions {
  /** What keeps further tasks from being done, as soon as it is known. */
  readonly stopped: () => DragomanError | undefined;
  /** Default: one after the other. */
  readonly atOnce?: number | undefined;
}

/**
 * Does tasks until one fails; those under way are waited for. What is done may be paid for: an error comes with it.
 *
 * @throws DragomanError when nothing was done: nothing is lost then
 */
export async function doTasks<T>(
  tasks: readonly (() => Promise<T>)[],
  { stopped, atOnce = 1 }: TaskOptions,
): Promise<Done<T>> {
  const done: { readonly place: number; readonly value: T }[] = [];
  const rest = tasks.entries();
  let error: DragomanError | undefined;
  let defect: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (const [place, task] of rest) {
      try {
        done.push({ place, value: await task() });
        error ??= stopped();
      } catch (failure) {
        if (failure instanceof DragomanError) error ??= failure;
        else defect ??= { error: failure };
      }
      if (error ?? defect) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (defect) throw defect.error;
  if (error && done.length === 0) throw error;
  done.sort((a, b) => a.place - b.place);
  return { done: done.map(({ value }) => value), error };
}
