import { WEBHOOK_RETRIES } from '../contract/limits.ts';

/** With a factor of 2 and tries that each use up their 10 seconds, the last one still ends 75 seconds after the job. */
const FIRST_MS = 4_000;
const JITTER = 0.2;

/**
 * How long after a failed try the next one is due: 4, 8, 16 seconds, each up to a fifth more or less, so that the
 * calls that failed together do not come back together. Undefined when there is no next one.
 *
 * @param failures tries that have failed, this one included
 * @param random from 0 to 1
 */
export function retryDelay(failures: number, random: number = Math.random()): number | undefined {
  if (failures > WEBHOOK_RETRIES) return undefined;
  return Math.round(FIRST_MS * 2 ** (failures - 1) * (1 + JITTER * (2 * random - 1)));
}
