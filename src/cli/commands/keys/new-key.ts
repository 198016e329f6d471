import { InvalidArgumentError } from 'commander';
import type { Output } from '../../output/output.ts';

/** Commander's parser of a number of credits. */
export function credits(text: string): number {
  const amount = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(amount)) return amount;
  throw new InvalidArgumentError('Expected a whole number of credits.');
}

/** The help of `--expires <time>`. */
export const EXPIRY = 'expire the key after this time, such as 30d or 12h; default: never';

/** In milliseconds since the epoch. */
export function expiryOf({ expires }: { readonly expires?: number }): number | undefined {
  return expires === undefined ? undefined : Date.now() + expires;
}

/** Standard output gets only the key, for scripts; advice goes to standard error. */
export function printKey(key: string, output: Output): void {
  output.result(key);
  output.message('Send this key in the X-API-KEY header of each request. It is shown only this once.');
}
