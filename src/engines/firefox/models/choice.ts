import { DragomanError } from '../../../base/errors.ts';
import { escapeControls } from '../../../base/escape-controls.ts';
import { nearest, withSuggestion } from '../../../base/nearest.ts';
import { parseLocale } from '../../../languages/locale.ts';
import { findRoute } from '../../route.ts';
import { directionsOf } from '../installed.ts';
import type { Offer } from './origin.ts';
import type { RemoteModel } from './records.ts';

/**
 * The models that these directions need, each once: the direct one, or the two with a pivot language.
 *
 * @param pairs `en-es`, `fr-de`, `en-zh-Hans`; any spelling of a locale
 * @throws DragomanError `usage` for an invalid pair, `not_found` for a pair without models
 */
export function chooseModels(pairs: readonly string[], offer: Offer): readonly RemoteModel[] {
  const chosen = new Map<string, RemoteModel>();
  for (const pair of pairs) for (const model of choosePair(pair, offer)) chosen.set(model.name, model);
  return [...chosen.values()];
}

function choosePair(pair: string, offer: Offer): readonly RemoteModel[] {
  const direct = offer.models.find(({ name }) => name === pair);
  if (direct) return [direct];
  const readings = readPair(pair);
  if (readings.length === 0) {
    throw new DragomanError('usage', `${escapeControls(pair)} is not a language pair`, {
      hint: 'A pair is written source-target: dragoman engines install en-es',
    });
  }
  const steps = directionsOf(offer.models);
  for (const [source, target] of readings) {
    const route = findRoute(steps, source, target);
    if (route) return route.map(({ model }) => model);
  }
  throw new DragomanError('not_found', `there are no models for ${escapeControls(pair)}`, {
    hint: withSuggestion(
      nearest(
        pair,
        offer.models.map(({ name }) => name),
      ),
      'dragoman engines list --available shows all.',
    ),
  });
}

/** Every way to read a pair as two locales; `en-pt-BR` has one. */
function readPair(pair: string): readonly (readonly [string, string])[] {
  const parts = pair.split('-');
  const readings: [string, string][] = [];
  for (let i = 1; i < parts.length; i++) {
    const source = parseLocale(parts.slice(0, i).join('-'));
    const target = parseLocale(parts.slice(i).join('-'));
    if (source !== undefined && target !== undefined) readings.push([source, target]);
  }
  return readings;
}
