import {
  type AnsweredId,
  type AnswerOf,
  type BodyId,
  operations,
  type RequestOf,
} from '../contract/operations.ts';
import { validate } from '../contract/validation.ts';
import { readAnswer } from './answers.ts';
import type { ServiceCaller } from './caller.ts';
import type { Call } from './exchange.ts';

type PathParameters<T> = Omit<Call<T>, 'operation'>;

/** Calls an operation of the contract and reads its JSON answer. */
export async function callOperation<Id extends AnsweredId>(
  caller: ServiceCaller,
  id: Id,
  parameters: PathParameters<AnswerOf<Id>>,
): Promise<AnswerOf<Id>> {
  const operation = operations[id];
  return caller({ operation, ...parameters }, ({ place, response }) =>
    readAnswer(place, response, operation.response),
  );
}

/**
 * Calls an operation with a JSON body, which is validated before it is sent.
 *
 * @throws DragomanError `invalid_request`
 */
export async function callWithBody<Id extends BodyId>(
  caller: ServiceCaller,
  id: Id,
  request: RequestOf<Id>,
  signal: AbortSignal,
): Promise<AnswerOf<Id>> {
  const body = JSON.stringify(validate(operations[id].request, request));
  return callOperation(caller, id, { body, signal });
}
