import type { InferInput, InferOutput } from 'valibot';
import { operations, type OperationId } from '../contract/operations.ts';
import { validate } from '../contract/validation.ts';
import { readAnswer } from './answers.ts';
import type { ServiceCaller } from './caller.ts';
import type { Call } from './exchange.ts';

type Operations = typeof operations;

/** Operations that are answered with JSON; `DownloadId` is the one that is not. */
type AnsweredId = Exclude<OperationId, 'downloadJob'>;
/** Operations whose request is a JSON body. */
type BodyId = {
  [Id in AnsweredId]: Operations[Id] extends { carries: 'json' } ? Id : never;
}[AnsweredId];
type OperationAnswer<Id extends AnsweredId> = InferOutput<Operations[Id]['response']>;
type RequestBody<Id extends BodyId> = InferInput<Operations[Id]['request']>;

type PathParameters<T> = Omit<Call<T>, 'operation'>;

/** The common part of an operation of the contract. */
export async function callOperation<Id extends AnsweredId>(
  caller: ServiceCaller,
  id: Id,
  parameters: PathParameters<OperationAnswer<Id>>,
): Promise<OperationAnswer<Id>> {
  const operation = operations[id];
  return caller({ operation, ...parameters }, ({ place, response }) =>
    readAnswer(place, response, operation.response),
  );
}

/**
 * An operation with a JSON body. The request is checked here first: what the contract does not allow need not travel.
 *
 * @throws DragomanError `invalid_request`
 */
export async function callWithBody<Id extends BodyId>(
  caller: ServiceCaller,
  id: Id,
  request: RequestBody<Id>,
  signal: AbortSignal,
): Promise<OperationAnswer<Id>> {
  const body = JSON.stringify(validate(operations[id].request, request));
  return callOperation(caller, id, { body, signal });
}
