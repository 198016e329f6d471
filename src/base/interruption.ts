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

export interface Grace {
  readonly signal: AbortSignal;
  /** Call it when the work is done: no timer is left then. */
  clear(): void;
}

/** A signal that aborts `graceMs` after the given one: answers that are paid for may still arrive. */
export function abortAfter(signal: AbortSignal, graceMs: number): Grace {
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => own.abort(), graceMs);
  };
  // Many calls may be under way with one signal: Node takes that for a leak.
  setMaxListeners(0, signal);
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    signal: own.signal,
    clear: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}

interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Call it when the work is done: the others do not know of it any more. */
  clear(): void;
}

/**
 * A signal that aborts with the first of the others. `AbortSignal.any` would do it too, but what it makes stays with a
 * long-lived signal until the garbage collector comes.
 */
export function linkSignals(...others: readonly AbortSignal[]): LinkedSignal {
  const own = new AbortController();
  const abort = (): void => own.abort();
  for (const other of others) {
    if (other.aborted) abort();
    else other.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: own.signal,
    clear: () => {
      for (const other of others) other.removeEventListener('abort', abort);
    },
  };
}
