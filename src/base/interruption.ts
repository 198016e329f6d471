import { setMaxListeners } from 'node:events';
import { DragomanError, type ErrorDetails } from './errors.ts';

/** The error of every call whose signal aborts. */
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

/**
 * Lets one caller stop waiting for shared work without ending it. @throws DragomanError `interrupted`, and errors of
 * `work`
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  // Many callers may wait for one signal, which Node would report as a leak.
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

export interface GracePeriod {
  readonly signal: AbortSignal;
  /** Call when the work is done, to clear the timer. */
  clear(): void;
}

/** A signal that aborts `graceMs` after the given one, so that answers that were paid for can still arrive. */
export function abortAfter(signal: AbortSignal, graceMs: number): GracePeriod {
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => own.abort(), graceMs);
  };
  // Many calls may share one signal, which Node would report as a leak.
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
  /** Call when the work is done, to remove the listeners. */
  clear(): void;
}

/**
 * A signal that aborts as soon as one of the given signals aborts. Unlike with `AbortSignal.any`, nothing stays
 * attached to a long-lived signal until garbage collection.
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
