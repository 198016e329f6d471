import { interrupted, throwIfAborted } from '../base/interruption.ts';

interface Abandonable {
  /** Rejects waiting and running work with that signal. */
  abandon(signal: AbortSignal): void;
  /** Rejects what waits with that signal. */
  withdraw(signal: AbortSignal): void;
}

interface ListeningOptions {
  /** How long running work may go on after the abort, in milliseconds. Default 0. */
  readonly graceMs?: number | undefined;
}

/**
 * Runs `work` and abandons its questions when `signal` aborts: one listener for a whole call, however many texts.
 *
 * @param targets read when the signal aborts: what the work uses by then
 * @throws DragomanError `interrupted` when the signal has aborted and the grace is over, whatever `work` still does.
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
  // Taken off by hand: where another signal should do that, garbage collection may take away what listens to that one.
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  }
}
