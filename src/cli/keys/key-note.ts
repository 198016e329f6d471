import type { Output } from '../output.ts';

/** Standard output is the key alone, so that a script can take it; what to do with it stands beside. */
export function noteKey(output: Output): void {
  output.message('Requests send this key in the header X-API-KEY. It is shown only this once.');
}
