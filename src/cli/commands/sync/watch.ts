import { watch } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DragomanError } from '../../../base/errors.ts';
import { reasonOf } from '../../../base/system-error.ts';

/** Editors write a file in several steps, and branches change many files at once. */
const SETTLE_MS = 200;

/**
 * Resolves when something in one of the directories has changed and come to rest; false when `signal` aborts first.
 * Watches the directories themselves, not those below.
 *
 * @throws DragomanError `unreadable_input` when a directory cannot be watched.
 */
export async function waitForChange(directories: Iterable<string>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const own = new AbortController();
  const either = AbortSignal.any([signal, own.signal]);
  try {
    await Promise.race([...directories].map((directory) => firstEvent(directory, either)));
    if (signal.aborted) return false;
    await sleep(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  } finally {
    own.abort();
  }
}

async function firstEvent(directory: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const _event of watch(directory, { signal })) return;
  } catch (error) {
    if (signal.aborted) return;
    throw new DragomanError('unreadable_input', `cannot watch ${directory}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
