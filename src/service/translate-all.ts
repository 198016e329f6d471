import { countCodePoints, MAX_TEXT, MAX_TEXTS } from '../contract/limits.ts';
import type { BatchItem } from '../contract/texts.ts';
import { verify } from '../text/verify.ts';
import type { CallOptions, TranslationService } from './service.ts';
import { splitText } from './split-text.ts';

interface Direction {
  readonly source: string;
  readonly target: string;
}

/**
 * Translates any number of texts of any length with a service that has limits. One item per text, in order. A text
 * over the limit goes in parts, and fails when one of them does.
 *
 * @throws DragomanError as `translateBatch`
 */
export async function translateAll(
  service: TranslationService,
  texts: readonly string[],
  direction: Direction,
  options: CallOptions,
): Promise<readonly BatchItem[]> {
  const isLong = (text: string): boolean => countCodePoints(text, MAX_TEXT) > MAX_TEXT;
  const short = texts.filter((text) => !isLong(text));
  const items = (await translateInBatches(service, short, direction, options)).values();
  const all: BatchItem[] = [];
  for (const text of texts) {
    const item = isLong(text) ? await translateLong(service, text, direction, options) : items.next().value;
    if (item) all.push(item);
  }
  return all;
}

async function translateInBatches(
  service: TranslationService,
  texts: readonly string[],
  direction: Direction,
  options: CallOptions,
): Promise<readonly BatchItem[]> {
  const items: BatchItem[] = [];
  for (let i = 0; i < texts.length; i += MAX_TEXTS) {
    const { translations } = await service.translateBatch(
      { texts: texts.slice(i, i + MAX_TEXTS), ...direction },
      options,
    );
    items.push(...translations);
    options.onProgress?.(items.length, texts.length);
  }
  return items;
}

/** The first part tells the language of the others: all parts of a text are in one. */
async function translateLong(
  service: TranslationService,
  text: string,
  direction: Direction,
  options: CallOptions,
): Promise<BatchItem> {
  const [first = '', ...rest] = splitText(text, MAX_TEXT);
  const head = await translateInBatches(service, [first], direction, options);
  const source = head[0]?.source ?? direction.source;
  const tail = await translateInBatches(service, rest, { ...direction, source }, options);
  const parts = [...head, ...tail];
  const target = head[0]?.target ?? direction.target;
  const translation = parts.map((part) => part.translation).join('');
  const error =
    parts.find(({ success }) => !success)?.error ??
    verify(text, translation, { syntax: 'plain', locale: target })[0]?.detail;
  return error === undefined
    ? { text, translation, source, target, success: true }
    : { text, translation: text, source, target, success: false, error };
}
