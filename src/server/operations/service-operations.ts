import { DragomanError } from '../../base/errors.ts';
import type { AccountSummary } from '../../contract/account.ts';
import {
  hasRequest,
  SERVICE_IDS,
  type AnswerOf,
  type Operation,
  operations,
  type RequestId,
  type RequestOf,
} from '../../contract/operations.ts';
import type { PreparedCall, PreparedRequest, PrepareRequest } from './prepared.ts';
import { validate } from '../../contract/validation.ts';
import { requireLanguage } from '../../languages/catalog.ts';
import { creditsOf } from '../../service/credits.ts';
import { detectLocally } from '../../service/languages.ts';
import type { CallOptions, RequestMethods } from '../../service/service.ts';

/** Counts the credits of a request, in a thread if it is as slow as reading a long document. */
type Counts = {
  readonly [Id in RequestId]?: (request: RequestOf<Id>, options: CallOptions) => number | Promise<number>;
};

/**
 * An operation that translates or detects for credits. A failed request costs nothing, nor do the failed texts of a
 * batch or parts of a document.
 *
 * @param formOf converts the result for the client
 */
function metered<Id extends RequestId>(
  id: Id,
  formOf: (answer: AnswerOf<Id>) => object = (answer) => answer,
): PrepareRequest {
  const { prefix, credits }: Operation = operations[id];
  const countHere: Counts = creditsOf;
  return (carried, call) => {
    const request: RequestOf<Id> = validate(operations[id].request, carried, prefix);
    requireLanguages(request);
    const inThread: Counts = call.parts.text?.count ?? {};
    const count = inThread[id] ?? countHere[id];
    const prepared = (cost: number): PreparedRequest => ({
      cost,
      perform(call) {
        let failures = 0;
        const service: RequestMethods = call.parts.service;
        const options = callOptions(call, () => failures++);
        return service[id](request, options).then((answered) => {
          const answer = formOf(answered);
          if ('successful' in answer) return { answer, charge: Number(answer.successful) };
          return { answer, charge: credits?.isFixed ? cost : Math.max(0, cost - failures) };
        });
      },
    });
    const counted = count?.(request, callOptions(call)) ?? credits?.least ?? 0;
    return counted instanceof Promise ? counted.then(prepared) : prepared(counted);
  };
}

interface NamedLanguages {
  readonly text?: string;
  readonly source?: string;
  readonly target?: string;
}

/** An invalid code is reported even without credits. */
function requireLanguages({ source = 'auto', target }: NamedLanguages): void {
  if (source !== 'auto') requireLanguage(source);
  if (target !== undefined) requireLanguage(target);
}

/** If the client leaves, the engine receives no further texts, and its answers so far are charged. */
const NEVER = new AbortController().signal;

function callOptions({ signal, caller }: PreparedCall, onFailure?: () => void): CallOptions {
  return { signal: NEVER, stop: signal, owner: caller.accountId, onFailure };
}

/** The version 1 operations, whose answers have a different format. */
const legacyOperations = {
  translateV1: metered('translate', ({ translations: { translation, source, target } }) => ({
    translation,
    source,
    target,
  })),

  detectLanguageV1(carried) {
    const request = validate(operations.detectLanguageV1.request, carried);
    const cost = creditsOf.detectLanguage(request);
    return {
      cost,
      async perform(call) {
        const detect = call.parts.text?.detect ?? detectLocally;
        const { language, confidence } = await detect(request, callOptions(call));
        return { answer: { language, confidence }, charge: cost };
      },
    };
  },
} satisfies Readonly<Record<string, PrepareRequest>>;

/** A free operation without a request body. */
export function free(answer: (call: PreparedCall) => Promise<object>): PrepareRequest {
  return () => ({ cost: 0, perform: async (call) => ({ answer: await answer(call), charge: 0 }) });
}

const supportedLanguages = free(({ parts, signal }) => parts.service.supportedLanguages({ signal }));

/** The work of the operations that do not concern jobs. */
export const serviceOperations: Readonly<Record<string, PrepareRequest>> = {
  ...Object.fromEntries(SERVICE_IDS.filter(hasRequest).map((id) => [id, metered(id)])),
  ...legacyOperations,
  supportedLanguages,
  supportedLanguagesV1: supportedLanguages,
  accountSummary: free(summarizeAccount),
};

/**
 * The caller's account (specification: Account summary). Reserved credits do not count as remaining. Requests are
 * counted once answered, so the statistics do not include this one.
 */
export async function summarizeAccount({
  parts,
  caller,
  concurrency,
}: PreparedCall): Promise<AccountSummary> {
  const account = await parts.accounts.find(caller.accountId);
  if (!account) throw new DragomanError('internal', 'the account of a key is missing');
  const { granted, balance, reserved, requestsSuccessful, requestsFailed } = account;
  const remaining = balance - reserved;
  const used = granted - remaining;
  const requests = requestsSuccessful + requestsFailed;
  return {
    email: account.email,
    full_name: account.fullName,
    total_credits: granted,
    credits_used: used,
    credits_remaining: remaining,
    credits_percentage: percentage(used, granted),
    concurrency: await concurrency(),
    effective_concurrency: Math.min(parts.options.maxConcurrency, account.limits.concurrency ?? Infinity),
    summary: {
      total_requests: requests,
      successful_requests: requestsSuccessful,
      failed_requests: requestsFailed,
      success_rate: percentage(requestsSuccessful, requests),
    },
  };
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100;
}
