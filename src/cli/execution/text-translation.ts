import { DragomanError, traitsOf } from '../../base/errors.ts';
import type { BatchItem } from '../../contract/texts.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';
import { translateAll, type Translations } from '../../service/translate-all.ts';
import type { Output } from '../output/output.ts';
import type { ProgressStep } from '../terminal/progress.ts';

export interface TextsRequest {
  readonly texts: readonly string[];
  /** `auto` or canonical. */
  readonly source: string;
  readonly targets: readonly string[];
  /** Whether texts were translated before, so that an error only fails these texts. Default: false. */
  readonly isLater?: boolean;
}

interface TargetTranslations extends Translations {
  /** Why no engine supports a target, for each such target. */
  readonly unavailable: readonly DragomanError[];
}

/**
 * Translates every text into every target, ordered by text, then by target. An unsupported target is a failure of its
 * items; an error that ends the work carries the items finished before.
 *
 * @throws DragomanError if nothing was translated for a reason other than missing engines, unless texts were translated
 * before
 */
export async function translateInto(
  service: TranslationService,
  { texts, source, targets, isLater = false }: TextsRequest,
  options: CallOptions,
): Promise<TargetTranslations> {
  const columns: (readonly BatchItem[])[] = [];
  const errors: DragomanError[] = [];
  let stopped: DragomanError | undefined;
  for (const [i, target] of targets.entries()) {
    const onProgress = (done: number): void =>
      options.onProgress?.(i * texts.length + done, targets.length * texts.length);
    try {
      if (stopped) throw stopped;
      onProgress(0);
      const translations = await translateAll(service, texts, { source, target }, { ...options, onProgress });
      columns.push(translations.items);
      stopped = translations.stopped;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      errors.push(error);
      columns.push(failAll(texts, source, target, error));
      if (!isOfPair(error)) stopped = error;
    }
  }
  const unavailable = errors.filter(({ code }) => code === 'engine_unavailable');
  const error = stopped ?? errors.find((other) => !unavailable.includes(other));
  if (error && errors.length === targets.length && !isLater) throw error;
  const items = texts.flatMap((_, i) => columns.flatMap((column) => column.slice(i, i + 1)));
  return { items, stopped, unavailable };
}

/** The current target for the progress, if texts are translated into one language after another. */
export function placeIn(
  targets: readonly string[],
  done: number,
  texts: number,
): Pick<ProgressStep, 'label' | 'at' | 'of'> {
  const at = Math.min(Math.floor(done / texts), targets.length - 1);
  return { label: targets[at] ?? '', at: at + 1, of: targets.length };
}

/**
 * Whether an error only concerns this language pair. A service reports an unsupported language as an invalid request.
 */
function isOfPair(error: DragomanError): boolean {
  return traitsOf(error).concerns === 'languages' || error.code === 'invalid_request';
}

function failAll(
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

/**
 * Reports texts that keep their source. Consecutive texts that fail for the same reason are reported together.
 *
 * @param items for each text in order, its items in the order of the targets
 * @param first the number of the first text, starting at 1
 */
export function reportFailures(
  items: readonly BatchItem[],
  { first, targets }: { readonly first: number; readonly targets: number },
  output: Output,
): void {
  const runs: { item: BatchItem; from: number; to: number }[] = [];
  for (const [i, item] of items.entries()) {
    if (item.success) continue;
    const number = first + Math.floor(i / targets);
    const run = runs.findLast(({ item: { target } }) => target === item.target);
    if (run?.to === number - 1 && run.item.error === item.error) run.to = number;
    else runs.push({ item, from: number, to: number });
  }
  for (const { item, from, to } of runs) {
    const texts = from === to ? `text ${from} was` : `texts ${from} to ${to} were`;
    output.problem(`${texts} not translated into ${item.target}: ${item.error ?? 'no reason given'}`);
  }
}
