import { DragomanError, traitsOf } from '../../base/errors.ts';

/** What was done, in the order of the items, what could not be, and what ended the work before all was done. */
export interface TasksResult<Item, Result> {
  readonly done: readonly Result[];
  readonly unavailable: readonly Unavailable<Item>[];
  readonly error?: DragomanError | undefined;
}

/** Nothing was done of an item, for a reason that other items need not have. */
export interface Unavailable<Item> {
  readonly item: Item;
  readonly error: DragomanError;
}

export interface TaskLimits {
  /** What keeps further tasks from being done, as soon as it is known. */
  readonly stopped: () => DragomanError | undefined;
  /** Default: one after the other. */
  readonly atOnce?: number | undefined;
}

/**
 * Does a task for each item until an error concerns all of them; those under way are waited for. What is done may be paid
 * for: an error comes with it.
 *
 * @throws DragomanError when nothing was done: nothing is lost then. Items that fail for reasons of their own are
 * returned, unless it is one reason for all; that no engine has a pair is always returned.
 */
export async function doTasks<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
  { stopped, atOnce = 1 }: TaskLimits,
): Promise<TasksResult<Item, Result>> {
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
        else if (isOfItem(failure)) ends[place] = { item, error: failure };
        else error ??= failure;
      }
      if (error ?? defect) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (defect) throw defect.error;
  const done = ends.flatMap((end) => (end && 'result' in end ? [end.result] : []));
  const unavailable = ends.flatMap((end) => (end && 'item' in end ? [end] : []));
  error ??= done.length === 0 ? oneReason(unavailable) : undefined;
  if (error && done.length === 0) throw error;
  return { done, unavailable, error };
}

/** Whether the next item may do without the error: it has other languages, or another document. */
function isOfItem(error: DragomanError): boolean {
  const { concerns } = traitsOf(error);
  return concerns === 'document' || concerns === 'rendering' || concerns === 'languages';
}

function oneReason(failed: readonly Unavailable<unknown>[]): DragomanError | undefined {
  const [first, ...others] = failed.map(({ error }) => error);
  if (!first || first.code === 'engine_unavailable') return undefined;
  const isShared = others.every(({ code, message }) => code === first.code && message === first.message);
  return isShared ? first : undefined;
}
