import { interrupted, throwIfAborted } from '../base/interruption.ts';

interface Abandonable {
  abandon(signal: AbortSignal): void;
}

/**
 * Runs `work` and abandons its questions when `signal` aborts: one listener for a whole call, however many texts.
 *
 * @param targets read when the signal aborts: what the work uses by then
 * @throws DragomanError `interrupted` as soon as the signal aborts, whatever `work` still does.
 */
export async function whileListening<T>(
  signal: AbortSignal,
  targets: Iterable<Abandonable>,
  work: () => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  let abandon = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abandon = () => {
      for (const target of targets) target.abandon(signal);
      reject(interrupted());
    };
  });
  // Taken off by hand: where another signal should do that, garbage collection may take away what listens to that one.
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
