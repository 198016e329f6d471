import type { BatchRequest, BatchResponse } from '../contract/texts.ts';
import type { TranslationService } from '../service/service.ts';
import type { ServiceCaller } from './caller.ts';
import { violation } from './failures.ts';
import { callOperation, callWithBody } from './operation-caller.ts';
import { operations } from '../contract/operations.ts';

/** The operations of the specification done by a service of version 2. */
export function createRemoteTexts(
  caller: ServiceCaller,
  host: string,
  parallelCalls: number,
): TranslationService {
  return {
    parallelCalls,
    translate: (request, { signal }) => callWithBody(caller, 'translate', request, signal),
    translateBatch: async (request, { signal }) => {
      const response = await callWithBody(caller, 'translateBatch', request, signal);
      requireEach(request, response, host);
      return response;
    },
    translateHtml: (request, { signal }) => callWithBody(caller, 'translateHtml', request, signal),
    translateEmail: (request, { signal }) => callWithBody(caller, 'translateEmail', request, signal),
    translateSubtitles: (request, { signal }) => callWithBody(caller, 'translateSubtitles', request, signal),
    detectLanguage: (request, { signal }) => callWithBody(caller, 'detectLanguage', request, signal),
    supportedLanguages: ({ signal }) => callOperation(caller, 'supportedLanguages', { signal }),
    accountSummary: ({ signal }) => callOperation(caller, 'accountSummary', { signal }),
    health: ({ signal }) => callOperation(caller, 'health', { signal }),
  };
}

/** A translation beside the wrong text is worse than none, so that the order is checked; white space may differ. */
function requireEach({ texts }: BatchRequest, { translations }: BatchResponse, host: string): void {
  const place = { host, operation: operations.translateBatch };
  if (translations.length !== texts.length) {
    throw violation(place, `${translations.length} translations for ${texts.length} texts`).error;
  }
  const wrong = translations.findIndex(({ text }, i) => !isSame(text, texts[i] ?? ''));
  if (wrong !== -1) throw violation(place, `translations.${wrong}.text is not the text that was sent`).error;
}

function isSame(text: string, sent: string): boolean {
  return text === sent || squeeze(text) === squeeze(sent);
}

function squeeze(text: string): string {
  return text.normalize('NFC').toWellFormed().replace(/\s+/g, ' ').trim();
}
