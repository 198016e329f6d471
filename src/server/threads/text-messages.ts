import type { FromWorker, PlainError, ToWorker } from '../../jobs/worker/messages.ts';
import type { RequestOf, ResultOf, TextWorkKind } from './text-work.ts';

/** What the thread for texts and the main thread say to each other. `id` is that of a call, of which there are many. */

export interface TextCall {
  readonly kind: TextWorkKind;
  readonly request: RequestOf<TextWorkKind>;
}

export type ToTextWorker = { readonly id: number } & (
  | { readonly type: 'call'; readonly call: TextCall }
  | { readonly type: 'abort' }
  /** A question whether the thread is still alive: it may have nothing to say while it waits for an engine. */
  | { readonly type: 'ping' }
  | { readonly type: 'engine'; readonly message: ToWorker }
);

export type FromTextWorker = { readonly id: number } & (
  | { readonly type: 'engine'; readonly message: FromWorker }
  | { readonly type: 'pong' }
  /** `failures`: why parts of a document kept their source. */
  | { readonly type: 'result'; readonly result: ResultOf<TextWorkKind>; readonly failures: readonly string[] }
  | { readonly type: 'error'; readonly error: PlainError }
);
