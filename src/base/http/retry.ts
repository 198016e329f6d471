import type { TransportRequest } from './transport.ts';

/** Why a try gave no result, as far as it matters for another one. */
export type Obstacle =
  /** It was not sent: there was no connection. */
  | { readonly kind: 'unsent' }
  /** The service refused to process it now (429, 503), and maybe said for how many milliseconds. */
  | { readonly kind: 'refused'; readonly retryIn?: number | undefined }
  /** It was sent, and the answer lost. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'final' };

const MAX_TRIES = 4;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 4000;

export interface RetryProgress {
  /** Tries that were made, from 1. */
  readonly tries: number;
  /** Milliseconds that are left for the call. */
  readonly leftMs: number;
  /** Default 4. */
  readonly mostTries?: number;
}

/**
 * Milliseconds to wait before the next try; undefined when there is none. Only what was not processed is sent again,
 * or what does nothing when it is done twice: a POST whose answer was lost may have been charged. Full jitter: those
 * who were refused together do not come back together.
 */
export function delayBeforeRetry(
  method: TransportRequest['method'],
  obstacle: Obstacle,
  { tries, leftMs, mostTries = MAX_TRIES }: RetryProgress,
  random: () => number = Math.random,
): number | undefined {
  if (obstacle.kind === 'final' || tries >= mostTries) return undefined;
  if (obstacle.kind === 'lost' && method === 'POST') return undefined;
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  const asked = obstacle.kind === 'refused' ? (obstacle.retryIn ?? 0) : 0;
  const delay = asked + random() * ceiling;
  return delay < leftMs ? delay : undefined;
}
