import type { BatchItem, BatchRequest, BatchResponse } from '../contract/texts.ts';
import type { Engine } from '../engines/engine.ts';
import { ANSWER_ONLY_ENGINE } from '../engines/unasked.ts';
import { parseLocale } from '../languages/locale.ts';
import { translateUnits } from '../pipeline/units.ts';
import { addTo } from '../base/map-of-lists.ts';

/**
 * Verifies a service's answers like those of an engine. Texts without a valid translation are sent again through
 * `engine`, with their placeholders protected; a text that still fails keeps its source and a reason.
 */
export async function verifyBatch(
  { texts, target }: BatchRequest,
  answer: BatchResponse,
  { engine, signal }: { readonly engine: Engine; readonly signal: AbortSignal },
): Promise<BatchResponse> {
  const translations: BatchItem[] = [...answer.translations];
  for (const [source, places] of placesBySource(translations)) {
    const units = places.map((i) => ({
      value: texts[i] ?? '',
      syntax: 'plain' as const,
      answer: translations[i]?.translation,
    }));
    const outcomes = await translateUnits(units, {
      // Without a language no engine can be used.
      engine: source === undefined ? ANSWER_ONLY_ENGINE : engine,
      source: source ?? 'und',
      target: parseLocale(target) ?? target,
      signal,
    });
    for (const [at, i] of places.entries()) {
      const item = translations[i];
      const outcome = outcomes[at];
      if (!item || !outcome) continue;
      translations[i] =
        'value' in outcome
          ? { ...item, translation: outcome.value }
          : { ...item, translation: texts[i] ?? '', success: false, error: outcome.failure };
    }
  }
  const successful = translations.filter(({ success }) => success).length;
  return { ...answer, translations, successful, failed: translations.length - successful };
}

function placesBySource(items: readonly BatchItem[]): ReadonlyMap<string | undefined, readonly number[]> {
  const places = new Map<string | undefined, number[]>();
  for (const [i, { success, source }] of items.entries()) {
    const code = parseLocale(source);
    if (success) addTo(places, code, i);
  }
  return places;
}
