import { DragomanError, traitsOf } from '../../base/errors.ts';
import { interrupted, isInterrupted } from '../../base/interruption.ts';
import { divide, type EngineOutcome } from '../engine.ts';

export interface RequestLimits {
  readonly texts: number;
  /** The maximum size of a request, in the unit of `sizeOf`. */
  readonly size: number;
  /** The maximum size of one text, which is sent alone if it exceeds `size`. Default: `size`. */
  readonly longest?: number;
}

/**
 * Sends texts in as many requests as needed, in sequence, and returns one outcome per text, in order. A failed request
 * affects its own texts only; if its error applies to later requests too, these are not sent. Earlier answers, which
 * were paid for, are kept.
 *
 * @throws DragomanError `interrupted` before the first answer
 */
export async function sendInBatches<T>(
  texts: readonly T[],
  limits: RequestLimits,
  sizeOf: (text: T) => number,
  send: (batch: readonly T[]) => Promise<readonly EngineOutcome[]>,
  signal: AbortSignal,
): Promise<readonly EngineOutcome[]> {
  const { longest = limits.size } = limits;
  const outcomes: EngineOutcome[] = [];
  let stopped: DragomanError | undefined;
  for (const batch of divide(texts, limits, sizeOf)) {
    if (signal.aborted) stopped ??= interrupted();
    try {
      if (stopped) throw stopped;
      const isTooLong = batch.length === 1 && batch.some((text) => sizeOf(text) > longest);
      outcomes.push(...(isTooLong ? [TOO_LONG] : await send(batch)));
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      if (traitsOf(error).stops || isInterrupted(error)) stopped = error;
      if (isInterrupted(error) && !outcomes.some((outcome) => 'translation' in outcome)) throw error;
      outcomes.push(...batch.map(() => ({ failure: error.message, error })));
    }
  }
  return outcomes;
}

const TOO_LONG: EngineOutcome = { failure: 'the text is longer than the service accepts at once' };

/** Whether an error rejects this particular request: it was not processed, and a smaller one may succeed. */
export function isOfTexts(error: DragomanError): boolean {
  return error.code === 'invalid_request' || error.code === 'limit_exceeded';
}
