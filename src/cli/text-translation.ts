import { DragomanError } from '../base/errors.ts';
import type { BatchItem } from '../contract/texts.ts';
import type { CallOptions, TranslationService } from '../service/service.ts';
import { translateAll } from '../service/translate-all.ts';
import type { Output } from './output.ts';

export interface TextsRequest {
  readonly texts: readonly string[];
  /** `auto` or canonical. */
  readonly source: string;
  readonly targets: readonly string[];
}

/**
 * Every text in every target: for each text in order its items in the order of the targets. A target that nothing can
 * translate into is a failure of its items.
 *
 * @throws DragomanError when that is so for all targets.
 */
export async function translateInto(
  service: TranslationService,
  { texts, source, targets }: TextsRequest,
  options: CallOptions,
): Promise<readonly BatchItem[]> {
  const columns: (readonly BatchItem[])[] = [];
  const errors: DragomanError[] = [];
  for (const target of targets) {
    try {
      columns.push(await translateAll(service, texts, { source, target }, options));
    } catch (error) {
      if (!isOfPair(error)) throw error;
      errors.push(error);
      columns.push(failAll(texts, source, target, error));
    }
  }
  const [error] = errors;
  if (error && errors.length === targets.length) throw error;
  return texts.flatMap((_, i) => columns.flatMap((items) => items.slice(i, i + 1)));
}

/** Whether an error says that these texts cannot be translated into this target; others may be. */
export function isOfPair(error: unknown): error is DragomanError {
  return (
    error instanceof DragomanError &&
    (error.code === 'engine_unavailable' || error.code === 'unsupported_language')
  );
}

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
