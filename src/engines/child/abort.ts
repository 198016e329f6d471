import { interrupted } from '../interruption.ts';

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
  if (signal.aborted) throw interrupted();
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const abandon = (): void => {
      for (const target of targets) target.abandon(signal);
      reject(interrupted());
    };
    signal.addEventListener('abort', abandon, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    done.abort();
  }
}
