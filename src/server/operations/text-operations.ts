import type { GenericSchema, InferOutput } from 'valibot';
import { operations } from '../../contract/operations.ts';
import type { DetectRequest } from '../../contract/texts.ts';
import { validate } from '../../contract/validation.ts';
import { requireLanguage } from '../../languages/catalog.ts';
import { creditsOf } from '../../service/credits.ts';
import { detectHere, requireVisibleText } from '../../service/languages.ts';
import type { CallOptions } from '../../service/service.ts';
import type { PreparedCall, Done, Prepare } from './prepared.ts';
import type { TextService } from '../threads/text-service.ts';

interface Metered<Request> {
  /** What the text of an invalid request begins with. */
  readonly prefix?: string;
  cost(request: Request, call: PreparedCall): number | Promise<number>;
  perform(request: Request, call: PreparedCall, cost: number): Promise<Done>;
}

interface NamedLanguages {
  readonly text?: string;
  readonly source?: string;
  readonly target?: string;
}

function metered<S extends GenericSchema<unknown, NamedLanguages>>(
  schema: S,
  work: Metered<InferOutput<S>>,
): Prepare {
  return async (carried, call) => {
    const request = validate(schema, carried, work.prefix);
    requireLanguages(request);
    const cost = await work.cost(request, call);
    return { cost, perform: (call) => work.perform(request, call, cost) };
  };
}

/** A wrong code is a wrong request, whatever the account has left. */
function requireLanguages({ source = 'auto', target }: NamedLanguages): void {
  if (source !== 'auto') requireLanguage(source);
  if (target !== undefined) requireLanguage(target);
}

function detectionCost(request: DetectRequest): number {
  requireVisibleText(request);
  return creditsOf.detectLanguage();
}

/** Counting the parts of a long document takes as long as reading it. */
function countOf({ parts }: PreparedCall): TextService['count'] | typeof creditsOf {
  return parts.text?.count ?? creditsOf;
}

/** A client that is gone ends nothing: the engine is asked nothing more, and what it has answered is charged. */
const NEVER = new AbortController().signal;

function callOptions({ signal, caller }: PreparedCall): CallOptions {
  return { signal: NEVER, stop: signal, owner: caller.accountId };
}

/** Counts the parts of a document that kept their source: they are given, but not charged for. */
class Failures {
  count = 0;
  readonly options: CallOptions;

  constructor(call: PreparedCall) {
    this.options = { ...callOptions(call), onFailure: () => this.count++ };
  }
}

/** The operations that translate or detect, each of which costs credits. What fails as a whole costs nothing. */
export const textOperations = {
  translate: metered(operations.translate.request, {
    cost: creditsOf.translate,
    perform: async (request, call) => ({
      answer: await call.parts.service.translate(request, callOptions(call)),
      charge: 1,
    }),
  }),

  translateBatch: metered(operations.translateBatch.request, {
    cost: creditsOf.translateBatch,
    perform: async (request, call) => {
      const answer = await call.parts.service.translateBatch(request, callOptions(call));
      return { answer, charge: answer.successful };
    },
  }),

  translateHtml: metered(operations.translateHtml.request, {
    cost: creditsOf.translateHtml,
    perform: async (request, call) => ({
      answer: await call.parts.service.translateHtml(request, callOptions(call)),
      charge: 1,
    }),
  }),

  translateEmail: metered(operations.translateEmail.request, {
    prefix: 'invalid email request: ',
    cost: (request, call) => countOf(call).translateEmail(request, callOptions(call)),
    perform: async (request, call, cost) => {
      const failures = new Failures(call);
      const answer = await call.parts.service.translateEmail(request, failures.options);
      return { answer, charge: Math.max(0, cost - failures.count) };
    },
  }),

  translateSubtitles: metered(operations.translateSubtitles.request, {
    cost: (request, call) => countOf(call).translateSubtitles(request, callOptions(call)),
    perform: async (request, call, cost) => {
      const failures = new Failures(call);
      const answer = await call.parts.service.translateSubtitles(request, failures.options);
      return { answer, charge: Math.max(0, cost - failures.count) };
    },
  }),

  detectLanguage: metered(operations.detectLanguage.request, {
    cost: detectionCost,
    perform: async (request, call) => ({
      answer: await call.parts.service.detectLanguage(request, callOptions(call)),
      charge: 1,
    }),
  }),

  translateV1: metered(operations.translateV1.request, {
    cost: creditsOf.translate,
    perform: async (request, call) => {
      const { translations } = await call.parts.service.translate(request, callOptions(call));
      const { translation, source, target } = translations;
      return { answer: { translation, source, target }, charge: 1 };
    },
  }),

  detectLanguageV1: metered(operations.detectLanguageV1.request, {
    cost: detectionCost,
    perform: async (request, call) => {
      const detect = call.parts.text?.detect ?? detectHere;
      const { language, confidence } = await detect(request, callOptions(call));
      return { answer: { language, confidence }, charge: 1 };
    },
  }),
} satisfies Readonly<Record<string, Prepare>>;
