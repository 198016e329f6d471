export interface LinkedSignal {
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
