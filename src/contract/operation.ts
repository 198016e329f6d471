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
 * One endpoint of the specification. Server, clients, OpenAPI and the page of documentation are made from its line; what it
 * does is its handler in `src/service/`.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the base address; `{job_id}` is a UUID. */
  readonly path: string;
  /** Where the fields of `request` are; `none` when there are no fields. */
  readonly carries: 'json' | 'form' | 'query' | 'none';
  readonly request?: GenericSchema;
  /** Absent when the answer is a file. */
  readonly response?: GenericSchema;
  /** Whether an answer is as `response` has it, where that can be seen without validating it. */
  readonly isPlain?: (answer: unknown) => boolean;
  /** Of success. */
  readonly status: 200 | 201;
  /** The field that has the text of a 400 or 404; every other error has `detail`. */
  readonly errorField: 'detail' | 'error';
  /** Absent when no key is needed. */
  readonly key?: KeyStatuses;
  /** What a request costs at least, in credits, where that is known without its body. */
  readonly credits?: { readonly least: number; readonly isFixed: boolean };
  /** Other statuses of failure that the specification names. */
  readonly failures: readonly number[];
  readonly topic: Topic;
  /** A phrase without a full stop. */
  readonly summary: string;
  /** Sentences. */
  readonly description: string;
  /** What it costs, as a phrase. */
  readonly price: string;
  /** What the text of a 400 for an invalid request begins with. */
  readonly prefix?: string;
  /** Every field that the specification names. The request can be sent. */
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

/** Of other values than constants: who takes a request may change it. */
export function example<Q extends object | undefined, A extends object | undefined>(
  request: Q,
  response: A,
): { readonly request: Q; readonly response: A } {
  return { request, response };
}
