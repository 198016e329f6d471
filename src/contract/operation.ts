import type { GenericSchema } from 'valibot';

export type Topic = 'Texts' | 'Documents' | 'Languages' | 'Jobs' | 'Account' | 'Health' | 'Version 1';

export const topics: Readonly<Record<Topic, string>> = {
  Texts: 'One text, or up to 100 in one request.',
  Documents: 'HTML, e-mails and subtitles: only their texts change.',
  Languages: 'Supported languages, and language detection.',
  Jobs: 'Localization files, translated into several languages in the background.',
  Account: 'Credits and usage.',
  Health: 'For monitoring.',
  'Version 1': 'The legacy endpoints. Version 2 has the same operations and more.',
};

/** Statuses for a key that is missing, unknown, or revoked or reset. */
export interface KeyStatuses {
  readonly missing: 401 | 403;
  readonly invalid: 401 | 403;
  readonly revoked: 403;
}

/**
 * An endpoint of the specification. Server, clients, OpenAPI and the documentation page are generated from it; its
 * handler is in `src/service/`.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the base address; `{job_id}` is a UUID. */
  readonly path: string;
  /** Where the fields of `request` are sent; `none` without fields. */
  readonly carries: 'json' | 'form' | 'query' | 'none';
  readonly request?: GenericSchema;
  /** Absent if the answer is a file. */
  readonly response?: GenericSchema;
  /** Whether an answer matches `response`, checked without full validation. */
  readonly isPlain?: (answer: unknown) => boolean;
  /** The status of a successful answer. */
  readonly status: 200 | 201;
  /** The field with the text of a 400 or 404; other errors use `detail`. */
  readonly errorField: 'detail' | 'error';
  /** Absent if no key is needed. */
  readonly key?: KeyStatuses;
  /** The minimum price of a request in credits, if it is known without the body. */
  readonly credits?: { readonly least: number; readonly isFixed: boolean };
  /** Other failure statuses in the specification. */
  readonly failures: readonly number[];
  readonly topic: Topic;
  /** A phrase without a full stop. */
  readonly summary: string;
  /** Sentences. */
  readonly description: string;
  /** The price as a phrase. */
  readonly price: string;
  /** The start of the message of a 400 for an invalid request. */
  readonly prefix?: string;
  /** Has every field of the specification, and a valid request. */
  readonly example: { readonly request: object | undefined; readonly response: object | undefined };
}

const ELSEWHERE: KeyStatuses = { missing: 403, invalid: 403, revoked: 403 };
export const LISTS: KeyStatuses = { missing: 401, invalid: 403, revoked: 403 };
export const ACCOUNT: KeyStatuses = { missing: 401, invalid: 401, revoked: 403 };

export const post = {
  method: 'POST',
  carries: 'json',
  status: 200,
  errorField: 'detail',
  key: ELSEWHERE,
  credits: { least: 1, isFixed: true },
  price: '1 per request',
  failures: [400, 402, 429],
} as const;

export const ONE_OR_MORE = { least: 1, isFixed: false } as const;
export const get = {
  method: 'GET',
  carries: 'none',
  status: 200,
  errorField: 'detail',
  key: LISTS,
  failures: [429],
  price: 'none',
} as const;

/** Returns copies with mutable types, because the receiver of a request may change it. */
export function example<Q extends object | undefined, A extends object | undefined>(
  request: Q,
  response: A,
): { readonly request: Q; readonly response: A } {
  return { request, response };
}
