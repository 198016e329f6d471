import { DragomanError } from '../base/errors.ts';

/** What was done, in the order of the items, what no engine can do, and what ended the work before all was done. */
export interface Done<Item, Result> {
  readonly done: readonly Result[];
  readonly unavailable: readonly Unavailable<Item>[];
  readonly error?: DragomanError | undefined;
}

/** Nothing was done of an item because no engine has its pair of languages. */
export interface Unavailable<Item> {
  readonly item: Item;
  readonly error: DragomanError;
}

export interface TaskOptions {
  /** What keeps further tasks from being done, as soon as it is known. */
  readonly stopped: () => DragomanError | undefined;
  /** Default: one after the other. */
  readonly atOnce?: number | undefined;
}

/**
 * Does a task for each item until one fails; those under way are waited for. What is done may be paid for: an error comes
 * with it. A pair of languages that no engine has is a failure of its items only.
 *
 * @throws DragomanError when nothing was done: nothing is lost then
 */
export async function doTasks<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
  { stopped, atOnce = 1 }: TaskOptions,
): Promise<Done<Item, Result>> {
  const ends: ({ readonly result: Result } | Unavailable<Item> | undefined)[] = [];
  const rest = items.entries();
  let error: DragomanError | undefined;
  let defect: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (const [place, item] of rest) {
      try {
        ends[place] = { result: await task(item) };
        error ??= stopped();
      } catch (failure) {
        if (!(failure instanceof DragomanError)) defect ??= { error: failure };
        else if (failure.code === 'engine_unavailable') ends[place] = { item, error: failure };
        else error ??= failure;
      }
      if (error ?? defect) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (defect) throw defect.error;
  const done = ends.flatMap((end) => (end && 'result' in end ? [end.result] : []));
  if (error && done.length === 0) throw error;
  return { done, unavailable: ends.flatMap((end) => (end && 'item' in end ? [end] : [])), error };
}
