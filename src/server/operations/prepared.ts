import type { AppContext, AppDependencies } from '../http/dependencies.ts';
import type { KnownCaller } from './key-check.ts';

/** The input of an admitted request's operation. */
export interface PreparedCall {
  readonly parts: AppDependencies;
  readonly context: AppContext;
  /** Set for operations that need a key. */
  readonly caller: KnownCaller;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  /** The key's requests in progress, including this one. */
  readonly concurrency: () => Promise<number>;
}

/** The result of an operation. */
export interface OperationResult {
  /** A JSON value, or a custom response. */
  readonly answer: object | Response;
  /** The credits to charge, at most the cost. */
  readonly charge: number;
}

/** A valid request: its maximum cost, and its work. */
export interface PreparedRequest {
  readonly cost: number;
  readonly perform: (call: PreparedCall) => Promise<OperationResult>;
}

/** Validates a request's content. @throws DragomanError `invalid_request`, and errors of counting its credits */
export type PrepareRequest = (
  carried: unknown,
  call: PreparedCall,
) => PreparedRequest | Promise<PreparedRequest>;
