import type { GenericSchema, InferOutput } from 'valibot';
import { operations } from '../contract/operations.ts';
import type { DetectRequest } from '../contract/texts.ts';
import { validate } from '../contract/validation.ts';
import { requireLanguage } from '../languages/catalog.ts';
import { creditsOf } from '../service/credits.ts';
import { detectHere, requireVisibleText } from '../service/detection.ts';
import type { CallOptions } from '../service/service.ts';
import type { Call, Done, Prepare } from './prepared.ts';

interface Metered<Request> {
  /** What the text of an invalid request begins with. */
  readonly prefix?: string;
  cost(request: Request): number;
  perform(request: Request, call: Call, cost: number): Promise<Done>;
}

interface Languages {
  readonly text?: string;
  readonly source?: string;
  readonly target?: string;
}

function metered<S extends GenericSchema<unknown, Languages>>(
  schema: S,
  work: Metered<InferOutput<S>>,
): Prepare {
  return (carried) => {
    const request = validate(schema, carried, work.prefix);
    requireLanguages(request);
    const cost = work.cost(request);
    return { cost, perform: (call) => work.perform(request, call, cost) };
  };
}

/** A wrong code is a wrong request, whatever the account has left. */
function requireLanguages({ source = 'auto', target }: Languages): void {
  if (source !== 'auto') requireLanguage(source);
  if (target !== undefined) requireLanguage(target);
}

function detectionCost(request: DetectRequest): number {
  requireVisibleText(request);
  return creditsOf.detectLanguage();
}

/** Counts the parts of a document that kept their source: they are given, but not charged for. */
class Failures {
  count = 0;
  readonly options: CallOptions;

  constructor(signal: AbortSignal) {
    this.options = { signal, onFailure: () => this.count++ };
  }
}

/** The operations that translate or detect, each of which costs credits. What fails as a whole costs nothing. */
export const textOperations = {
  translate: metered(operations.translate.request, {
    cost: creditsOf.translate,
    perform: async (request, { parts, signal }) => ({
      answer: await parts.service.translate(request, { signal }),
      charge: 1,
    }),
  }),

  translateBatch: metered(operations.translateBatch.request, {
    cost: creditsOf.translateBatch,
    perform: async (request, { parts, signal }) => {
      const answer = await parts.service.translateBatch(request, { signal });
      return { answer, charge: answer.successful };
    },
  }),

  translateHtml: metered(operations.translateHtml.request, {
    cost: creditsOf.translateHtml,
    perform: async (request, { parts, signal }) => ({
      answer: await parts.service.translateHtml(request, { signal }),
      charge: 1,
    }),
  }),

  translateEmail: metered(operations.translateEmail.request, {
    prefix: 'invalid email request: ',
    cost: creditsOf.translateEmail,
    perform: async (request, { parts, signal }, cost) => {
      const failures = new Failures(signal);
      const answer = await parts.service.translateEmail(request, failures.options);
      return { answer, charge: Math.max(0, cost - failures.count) };
    },
  }),

  translateSubtitles: metered(operations.translateSubtitles.request, {
    cost: creditsOf.translateSubtitles,
    perform: async (request, { parts, signal }, cost) => {
      const failures = new Failures(signal);
      const answer = await parts.service.translateSubtitles(request, failures.options);
      return { answer, charge: Math.max(0, cost - failures.count) };
    },
  }),

  detectLanguage: metered(operations.detectLanguage.request, {
    cost: detectionCost,
    perform: async (request, { parts, signal }) => ({
      answer: await parts.service.detectLanguage(request, { signal }),
      charge: 1,
    }),
  }),

  translateV1: metered(operations.translateV1.request, {
    cost: creditsOf.translate,
    perform: async (request, { parts, signal }) => {
      const { translations } = await parts.service.translate(request, { signal });
      const { translation, source, target } = translations;
      return { answer: { translation, source, target }, charge: 1 };
    },
  }),

  detectLanguageV1: metered(operations.detectLanguageV1.request, {
    cost: detectionCost,
    perform: async (request, { signal }) => {
      const { language, confidence } = await detectHere(request, { signal });
      return { answer: { language, confidence }, charge: 1 };
    },
  }),
} satisfies Readonly<Record<string, Prepare>>;
