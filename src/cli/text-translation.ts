import { DragomanError, type ErrorCode } from '../base/errors.ts';
import type { BatchItem } from '../contract/texts.ts';
import type { CallOptions, TranslationService } from '../service/service.ts';
import { translateAll, type Translations } from '../service/translate-all.ts';
import type { Output } from './output.ts';

export interface TextsRequest {
  readonly texts: readonly string[];
  /** `auto` or canonical. */
  readonly source: string;
  readonly targets: readonly string[];
}

/**
 * Every text in every target: for each text in order its items in the order of the targets. A target that nothing can
 * translate into is a failure of its items; an error that ends the work comes with what was done before it.
 *
 * @throws DragomanError when there is not one translation.
 */
export async function translateInto(
  service: TranslationService,
  { texts, source, targets }: TextsRequest,
  options: CallOptions,
): Promise<Translations> {
  const columns: (readonly BatchItem[])[] = [];
  const errors: DragomanError[] = [];
  let stopped: DragomanError | undefined;
  for (const target of targets) {
    try {
      if (stopped) throw stopped;
      const translations = await translateAll(service, texts, { source, target }, options);
      columns.push(translations.items);
      stopped = translations.stopped;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      errors.push(error);
      columns.push(failAll(texts, source, target, error));
      if (!isOfPair(error)) stopped = error;
    }
  }
  const [error] = errors;
  if (error && errors.length === targets.length) throw stopped ?? error;
  return { items: texts.flatMap((_, i) => columns.flatMap((items) => items.slice(i, i + 1))), stopped };
}

/**
 * Whether an error says that these texts cannot be translated into this target; others may be. A service says of a
 * language it does not have that the request is invalid.
 */
export function isOfPair(error: unknown): error is DragomanError {
  return error instanceof DragomanError && OF_PAIR.has(error.code);
}

const OF_PAIR: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'engine_unavailable',
  'unsupported_language',
  'invalid_request',
]);

export function failAll(
  texts: readonly string[],
  source: string,
  target: string,
  error: DragomanError,
): readonly BatchItem[] {
  return texts.map((text) => ({
    text,
    translation: text,
    source,
    target,
    success: false,
    error: error.message,
  }));
}

/** Tells of a text that keeps its source. @param number of the text, from 1 */
export function reportFailure(item: BatchItem, number: number, output: Output): void {
  if (item.success) return;
  output.problem(`text ${number} was not translated into ${item.target}: ${item.error ?? 'no reason given'}`);
}
