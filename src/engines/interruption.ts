import { setMaxListeners } from 'node:events';
import { DragomanError } from '../base/errors.ts';

/** What every engine rejects with when its signal aborts. */
export function interrupted(): DragomanError {
  return new DragomanError('interrupted', 'the translation was interrupted');
}

/** What all wait for together is not ended by one of them. @throws DragomanError `interrupted`, and what `work` throws. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  // Many may wait on one signal: Node takes that for a leak.
  setMaxListeners(0, signal);
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(interrupted());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}
