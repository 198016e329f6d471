import { isUtf8 } from 'node:buffer';
import type { GenericSchema, InferOutput } from 'valibot';
import { DragomanError } from '../base/errors.ts';
import { validate } from '../contract/validation.ts';
import { textOf } from '../base/json.ts';
import { violation, type TryFailure, type RequestPlace } from './failures.ts';
import { headerOf, isJson, readBytes, type TransportResponse } from '../base/http/transport.ts';

/**
 * Answers are held in memory, except files. The largest answer, a batch of the longest texts fully escaped, is under 16
 * MiB.
 */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Maximum size of an error description. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_DETAIL = 2000;

/** The failure of one attempt. Never leaves the client. */
export class FailedTry extends Error {
  readonly failure: TryFailure;

  constructor(failure: TryFailure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

/** @throws FailedTry unless the body is JSON that matches the schema */
export async function readAnswer<S extends GenericSchema>(
  place: RequestPlace,
  response: TransportResponse,
  schema: S,
): Promise<InferOutput<S>> {
  const { status } = response;
  const broken = (problem: string): FailedTry => new FailedTry(violation(place, problem, { status }));
  const type = headerOf(response, 'content-type') ?? '';
  if (!isJson(type))
    throw broken(`the answer is ${type === '' ? 'without a content type' : type.slice(0, 100)}, not JSON`);
  const encoding = headerOf(response, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity')
    throw broken(`the answer is compressed (${encoding.slice(0, 20)}), which the request did not allow`);
  const bytes = await readBytes(response, MAX_ANSWER_BYTES);
  if (!bytes) throw broken(`the answer has more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`);
  if (!isUtf8(bytes)) throw broken('the answer is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    // The parser's message would repeat its input.
    throw broken('the answer is not JSON');
  }
  if (place.operation.isPlain?.(value) === true) return value;
  try {
    return validate(schema, value);
  } catch (error) {
    if (error instanceof DragomanError) throw broken(error.message);
    throw error;
  }
}

/** The service's reason for a refusal; undefined if unreadable. Never throws. */
export async function readDetail(
  { operation }: RequestPlace,
  response: TransportResponse,
): Promise<string | undefined> {
  try {
    const bytes = await readBytes(response, MAX_ERROR_BYTES);
    if (!bytes || !isJson(headerOf(response, 'content-type') ?? '')) return undefined;
    const body: unknown = JSON.parse(bytes.toString());
    const [detail] = [operation.errorField, 'detail', 'error'].flatMap((field) => textOf(body, field) ?? []);
    return detail?.slice(0, MAX_DETAIL).toWellFormed();
  } catch {
    // The status is enough, so a truncated body does not matter.
    return undefined;
  }
}
