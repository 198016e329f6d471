import {
  type AnswerOf,
  type Operation,
  operations,
  type RequestId,
  type RequestOf,
} from '../../contract/operations.ts';
import { validate } from '../../contract/validation.ts';
import { requireLanguage } from '../../languages/catalog.ts';
import { creditsOf } from '../../service/credits.ts';
import { detectLocally } from '../../service/languages.ts';
import type { CallOptions, RequestMethods } from '../../service/service.ts';
import type { PreparedCall, Prepare } from './prepared.ts';

/** What counts the credits of a request; in a thread, where that takes as long as reading a long document. */
type Counts = {
  readonly [Id in RequestId]?: (request: RequestOf<Id>, options: CallOptions) => number | Promise<number>;
};

/**
 * An operation that translates or detects, which costs credits. What fails as a whole costs nothing, and neither do texts
 * of a batch and parts of a document that failed.
 *
 * @param formOf what the client gets of an answer
 */
export function metered<Id extends RequestId>(
  id: Id,
  formOf: (answer: AnswerOf<Id>) => object = (answer) => answer,
): Prepare {
  const { prefix, credits }: Operation = operations[id];
  return async (carried, call) => {
    const request: RequestOf<Id> = validate(operations[id].request, carried, prefix);
    requireLanguages(request);
    const counts: Counts = { ...creditsOf, ...call.parts.text?.count };
    const cost = (await counts[id]?.(request, callOptions(call))) ?? credits?.least ?? 0;
    return {
      cost,
      async perform(call) {
        let failures = 0;
        const service: RequestMethods = call.parts.service;
        const options = { ...callOptions(call), onFailure: () => failures++ };
        const answered = await service[id](request, options);
        const answer = formOf(answered);
        if ('successful' in answer) return { answer, charge: Number(answer.successful) };
        return { answer, charge: credits?.isFixed ? cost : Math.max(0, cost - failures) };
      },
    };
  };
}

interface NamedLanguages {
  readonly text?: string;
  readonly source?: string;
  readonly target?: string;
}

/** A wrong code is a wrong request, regardless of the balance. */
function requireLanguages({ source = 'auto', target }: NamedLanguages): void {
  if (source !== 'auto') requireLanguage(source);
  if (target !== undefined) requireLanguage(target);
}

/** If the client leaves, the engine gets no further texts, and its answers so far are charged. */
const NEVER = new AbortController().signal;

function callOptions({ signal, caller }: PreparedCall): CallOptions {
  return { signal: NEVER, stop: signal, owner: caller.accountId };
}

/** The same of version 1, whose answers have another form. */
export const legacyOperations = {
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
} satisfies Readonly<Record<string, Prepare>>;
