import type { AppContext, AppDependencies } from '../http/dependencies.ts';
import type { KnownCaller } from './key-check.ts';

/** The input of an operation, once its request was admitted. */
export interface PreparedCall {
  readonly parts: AppDependencies;
  readonly context: AppContext;
  /** Of an operation that needs a key. */
  readonly caller: KnownCaller;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Requests of the key in work, this one included. */
  readonly concurrency: () => Promise<number>;
}

/** The result of an operation. */
export interface Done {
  /** The result for the client: a JSON value, or a custom answer. */
  readonly answer: object | Response;
  /** Credits, at most the cost. */
  readonly charge: number;
}

/** A valid request: its maximum cost, and its work. */
export interface PreparedRequest {
  readonly cost: number;
  perform(call: PreparedCall): Promise<Done>;
}

/** Checks what a request carries. @throws DragomanError `invalid_request` and what counting its credits throws. */
export type Prepare = (carried: unknown, call: PreparedCall) => PreparedRequest | Promise<PreparedRequest>;
