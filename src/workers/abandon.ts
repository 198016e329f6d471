import { interrupted, throwIfAborted } from '../base/interruption.ts';

interface Abandonable {
  /** Rejects waiting and running work that uses this signal. */
  abandon(signal: AbortSignal): void;
  /** Rejects waiting work that uses this signal. */
  withdraw(signal: AbortSignal): void;
}

interface ListeningOptions {
  /** How long running work may continue after the abort, in milliseconds. Default 0. */
  readonly graceMs?: number | undefined;
}

/**
 * Runs `work`, and abandons its questions when `signal` aborts. Needs one listener per call, however many texts it has.
 *
 * @param targets evaluated when the signal aborts: the objects that the work then uses
 * @throws DragomanError `interrupted` when the signal has aborted and the grace period is over, even if `work`
 * continues
 */
export async function whileListening<T>(
  signal: AbortSignal,
  targets: Iterable<Abandonable>,
  work: () => Promise<T>,
  { graceMs = 0 }: ListeningOptions = {},
): Promise<T> {
  throwIfAborted(signal);
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const abandon = (): void => {
      for (const target of targets) target.abandon(signal);
      reject(interrupted());
    };
    stop = () => {
      if (graceMs === 0) return abandon();
      for (const target of targets) target.withdraw(signal);
      timer = setTimeout(abandon, graceMs);
    };
  });
  // Removed explicitly, because a listener bound to another signal could be garbage-collected with it.
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  }
}
