import {
  fileNotFound,
  insufficientCredits,
  JOB_NOT_FOUND,
  KEY_DETAILS,
  rateLimited,
} from '../../contract/details.ts';
import { RATE_LIMIT } from '../../contract/limits.ts';
import type { Operation } from '../../contract/operations.ts';
import type { ApiResponse, ApiReference } from './document.ts';
import type { SchemaObject } from './openapi-schemas.ts';

interface DescribedFailure {
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

const FAILURES: Readonly<Record<number, DescribedFailure>> = {
  400: {
    name: 'BadRequest',
    description:
      'The request is malformed, a field is missing or beyond its limit, or a language is not supported.',
    example: 'text is required',
  },
  401: { name: 'Unauthorized', description: 'The key is missing.', example: KEY_DETAILS.missing },
  402: {
    name: 'PaymentRequired',
    description: 'The account lacks the credits that the operation needs. Nothing was done.',
    example: insufficientCredits(3, 10),
  },
  403: {
    name: 'Forbidden',
    description: 'The key is missing or invalid, was revoked or reset, or has expired.',
    example: KEY_DETAILS.invalid,
  },
  404: {
    name: 'NotFound',
    description: 'The job does not exist or belongs to another account.',
    example: JOB_NOT_FOUND,
  },
  408: {
    name: 'RequestTimeout',
    description: 'The body took too long to arrive, or came too slowly.',
    example: 'the request body took too long',
  },
  413: {
    name: 'ContentTooLarge',
    description: 'The body or the file is too large.',
    example: 'the file cannot be larger than 10,485,760 bytes',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type is wrong for the operation, or the body is compressed.',
    example: 'the request needs Content-Type: application/json',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The rate limit of the key is exceeded, too many of its requests run at once, or the requests or uploads of the account use too much of the shared capacity.',
    example: rateLimited(RATE_LIMIT + 1, RATE_LIMIT, 12),
  },
  500: {
    name: 'InternalServerError',
    description: 'The service failed. It cost nothing.',
    example: 'internal server error',
  },
  503: {
    name: 'ServiceUnavailable',
    description:
      'The service is stopping or overloaded, or its database does not answer. The request cost nothing.',
    example: 'the database does not answer; try again later',
  },
};

/** Failures of the download operation, whose text is in `error`. */
const FILE_FAILURES: Readonly<Record<number, DescribedFailure>> = {
  400: {
    name: 'DownloadBadRequest',
    description: 'The language code is missing.',
    example: 'language_code is required',
  },
  404: {
    name: 'DownloadNotFound',
    description: 'The job does not exist, or it has no translated file for the language.',
    example: fileNotFound('fr'),
  },
};

const RATE_LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

const REQUEST_ID = 'X-Request-Id';

const refer = (kind: string, name: string): ApiReference => ({ $ref: `#/components/${kind}/${name}` });
export const referHeaders = (names: readonly string[]): SchemaObject =>
  Object.fromEntries(names.map((name) => [name, refer('headers', name)]));

/** Servers without a rate limit do not send these headers, because "unlimited" is not a number. */
export const headerComponents: SchemaObject = {
  [REQUEST_ID]: {
    description:
      'The id of the request in the log of the server: the id that the request sent, if it is short and plain.',
    schema: { type: 'string' },
    example: '1f7d0f66-0f4e-4f6f-9d8a-6a3c0c1a1c55',
  },
  'X-RateLimit-Limit': wholeNumber(
    'Requests that the key may send in a window of 60 seconds. Absent without a limit.',
    RATE_LIMIT,
  ),
  'X-RateLimit-Remaining': wholeNumber('Requests left in the window.', 59),
  'X-RateLimit-Reset': wholeNumber(
    'When the window ends, in seconds since 1970-01-01T00:00:00Z.',
    1_767_225_600,
  ),
  'Retry-After': wholeNumber('Seconds to wait before the next request.', 12),
};

function wholeNumber(description: string, example: number): SchemaObject {
  return { description, schema: { type: 'integer', minimum: 0 }, example };
}

export const errorSchemas: Readonly<Record<'Detail' | 'FileError', SchemaObject>> = {
  Detail: describeError('detail'),
  FileError: describeError('error'),
};

function describeError(field: string): SchemaObject {
  return {
    type: 'object',
    properties: { [field]: { type: 'string', description: 'Describes the error.' } },
    required: [field],
  };
}

/** `components.responses`: every failure response once. */
export function responseComponents(): Readonly<Record<string, ApiResponse>> {
  return {
    ...describeFailures(FAILURES, 'detail', 'Detail'),
    ...describeFailures(FILE_FAILURES, 'error', 'FileError'),
  };
}

function describeFailures(
  failures: Readonly<Record<number, DescribedFailure>>,
  field: string,
  schema: string,
): Readonly<Record<string, ApiResponse>> {
  return Object.fromEntries(
    Object.entries(failures).map(([status, { name, description, example }]) => [
      name,
      {
        description,
        headers: referHeaders(headersOf(Number(status))),
        content: { 'application/json': { schema: refer('schemas', schema), example: { [field]: example } } },
      },
    ]),
  );
}

/** The rate limit applies once the key is known: only errors about the key lack its headers. */
function headersOf(status: number): readonly string[] {
  if (status === 401 || status === 403) return [REQUEST_ID];
  const always = [REQUEST_ID, ...RATE_LIMIT_HEADERS];
  return status === 429 || status === 503 ? [...always, 'Retry-After'] : always;
}

/** The headers of successful responses. */
export function successHeaders({ key }: Operation): SchemaObject {
  return referHeaders(key ? [REQUEST_ID, ...RATE_LIMIT_HEADERS] : [REQUEST_ID]);
}

/** The response for each failure status of an operation. */
export function failureResponses(operation: Operation): Readonly<Record<string, ApiReference>> {
  return Object.fromEntries(
    describedFailures(operation).map(({ status, name }) => [status, refer('responses', name)]),
  );
}

/** Every failure of an operation, by status. */
export function describedFailures(
  operation: Operation,
): readonly (DescribedFailure & { readonly status: number })[] {
  const statuses = [...failureStatuses(operation)].sort((a, b) => a - b);
  return statuses.map((status) => {
    const failure =
      (operation.errorField === 'error' ? FILE_FAILURES[status] : undefined) ?? FAILURES[status];
    if (!failure) throw new Error(`no description of status ${status}`);
    return { status, ...failure };
  });
}

function failureStatuses({ key, failures, carries }: Operation): ReadonlySet<number> {
  // An operation without a key has no input that could be invalid.
  if (!key) return new Set(failures);
  const statuses = new Set<number>([key.missing, key.invalid, key.revoked, ...failures, 500, 503]);
  if (carries === 'json' || carries === 'form') for (const status of [408, 413, 415]) statuses.add(status);
  return statuses;
}
