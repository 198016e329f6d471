import { setMaxListeners } from 'node:events';
import { DragomanError, type ErrorDetails } from './errors.ts';

/** What every call rejects with when its signal aborts. */
export function interrupted(
  message = 'the translation was interrupted',
  details?: ErrorDetails,
): DragomanError {
  return new DragomanError('interrupted', message, details);
}

/** @throws DragomanError `interrupted` */
export function throwIfAborted(signal: AbortSignal | undefined, message?: string): void {
  if (signal?.aborted) throw interrupted(message);
}

export function isInterrupted(error: unknown): error is DragomanError {
  return error instanceof DragomanError && error.code === 'interrupted';
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
