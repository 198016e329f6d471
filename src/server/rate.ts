import { rateLimited } from '../contract/details.ts';
import type { RateWindows } from '../store/rate-windows.ts';
import type { Headers } from './answer.ts';
import { Refusal } from './refusal.ts';

/**
 * Counts a request in its key's window, and gives the headers that go with every answer to it. Without a limit they are
 * there as well, with numbers out of reach, so that a client that reads them never waits.
 *
 * @throws Refusal 429 when the window is full.
 */
export async function takeRequest(rates: RateWindows, keyId: string, now: number): Promise<Headers> {
  const { allowed, made, limit, remaining, resetAt } = await rates.take(keyId);
  const headers = {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    // Rounded up, so that a client that waits for it finds the window reset.
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  };
  if (allowed) return headers;
  const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
  throw new Refusal(429, rateLimited(made, limit, seconds), { ...headers, 'retry-after': String(seconds) });
}
