import { countCodePoints } from '../base/code-points.ts';
import { DragomanError, traitsOf } from '../base/errors.ts';
import { MAX_TEXT } from '../contract/limits.ts';
import { operations, type ServiceId } from '../contract/operations.ts';
import type { BatchItem, BatchRequest, BatchResponse } from '../contract/texts.ts';
import { validate } from '../contract/validation.ts';
import { serviceOf, type TranslationService } from '../service/service.ts';
import type { ServiceCaller } from './caller.ts';
import { callOperation, callWithBody } from './operation-caller.ts';

/** The three operations of version 1. A batch is sent text by text. */
export function createLegacyTexts(caller: ServiceCaller, parallelCalls: number): TranslationService {
  const translate: TranslationService['translate'] = async (request, { signal }) => {
    const answer = await callWithBody(caller, 'translateV1', request, signal);
    return { translations: { text: request.text, ...answer }, details: {} };
  };
  const absent = (id: ServiceId): Promise<never> => absentOperation(operations[id].path);
  return {
    ...serviceOf(absent, absent),
    translate,
    translateBatch: (request, options) =>
      translateEach(validate(operations.translateBatch.request, request), parallelCalls, async (text) => {
        const { translations } = await translate({ ...request, text }, options);
        return { ...translations, success: true };
      }),
    detectLanguage: async (request, { signal }) => {
      const { language } = await callWithBody(caller, 'detectLanguageV1', request, signal);
      return { language_detection: { text: request.text, language } };
    },
    supportedLanguages: ({ signal }) => callOperation(caller, 'supportedLanguagesV1', { signal }),
    health: ({ signal }) => callOperation(caller, 'health', { signal }),
  };
}

/** @throws DragomanError `usage` */
export function absentOperation(what: string): Promise<never> {
  return Promise.reject(
    new DragomanError('usage', `version 1 of the service has no ${what}`, { hint: 'Use --api v2.' }),
  );
}

/** After any other failure, sending more texts is pointless. */
function isOfOneText(error: DragomanError): boolean {
  const { uncertain, transient } = traitsOf(error);
  return error.code === 'invalid_request' || (uncertain === true && transient === true);
}

/**
 * Translations are never lost: an error that ends the work fails the remaining texts, and is thrown only if
 * nothing was translated.
 */
async function translateEach(
  { texts, source, target }: BatchRequest,
  parallel: number,
  translate: (text: string) => Promise<BatchItem>,
): Promise<BatchResponse> {
  const items: BatchItem[] = [];
  let stopped: DragomanError | undefined;
  let first: DragomanError | undefined;
  const rest = texts.entries();
  const work = async (): Promise<void> => {
    for (const [i, text] of rest) {
      const settle = (translation: string, error?: string): void => {
        items[i] = {
          text,
          translation,
          source,
          target,
          success: error === undefined,
          ...(error !== undefined && { error }),
        };
      };
      if (text === '') settle('');
      else if (countCodePoints(text, MAX_TEXT) > MAX_TEXT) settle(text, TOO_LONG);
      else if (stopped) settle(text, stopped.message);
      else {
        try {
          items[i] = await translate(text);
        } catch (error) {
          if (!(error instanceof DragomanError)) throw error;
          first ??= error;
          if (!isOfOneText(error)) stopped ??= error;
          settle(text, error.message);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, texts.length) }, work));
  const successful = items.filter(({ success }) => success).length;
  const error = stopped ?? first;
  if (error && !items.some(({ success, text }) => success && text !== '')) throw error;
  return { translations: items, total: texts.length, successful, failed: texts.length - successful };
}

const TOO_LONG = `the text cannot be longer than ${MAX_TEXT.toLocaleString('en')} characters`;
