import { setMaxListeners } from 'node:events';

export interface Grace {
  readonly signal: AbortSignal;
  /** Call it when the work is done: no timer is left then. */
  clear(): void;
}

/** A signal that aborts `graceMs` after the given one: what has been paid for may still come in. */
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
