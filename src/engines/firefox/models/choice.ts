import type * as fxtranslate from 'fxtranslate';
import { DragomanError } from '../../../base/errors.ts';
import { escapeControls } from '../../../base/escape-controls.ts';
import { nearest, withSuggestion } from '../../../base/nearest.ts';
import { parseLocale } from '../../../languages/locale.ts';
import { modelName, spelledAs } from '../installed.ts';
import type { Offer } from './origin.ts';
import type { RemoteModel } from './records.ts';

/**
 * The models that these directions need, each once: the direct one, or the two with a pivot language.
 *
 * @param pairs `en-es`, `fr-de`, `en-zh-Hans`; any spelling of a locale
 * @throws DragomanError `usage` for an invalid pair, `not_found` for a pair without models
 */
export async function chooseModels(pairs: readonly string[], offer: Offer): Promise<readonly RemoteModel[]> {
  const chosen = new Map<string, RemoteModel>();
  for (const pair of pairs) for (const model of await choosePair(pair, offer)) chosen.set(model.name, model);
  return [...chosen.values()];
}

async function choosePair(pair: string, offer: Offer): Promise<readonly RemoteModel[]> {
  const byName = new Map(offer.models.map((model) => [model.name, model]));
  const direct = byName.get(pair);
  if (direct) return [direct];
  const readings = readPair(pair);
  if (readings.length === 0) {
    throw new DragomanError('usage', `${escapeControls(pair)} is not a language pair`, {
      hint: 'A pair is written source-target: dragoman engines install en-es',
    });
  }
  const languages = [...new Set(offer.models.flatMap(({ source, target }) => [source, target]))];
  for (const [source, target] of readings) {
    const [from, to] = [spelledAs(source, languages), spelledAs(target, languages)];
    if (from === undefined || to === undefined || from === to) continue;
    const own = byName.get(modelName({ source: from, target: to }));
    if (own) return [own];
    const route = (await routeOf(offer.body, from, to)) ?? [];
    const models = route.map(([source, target]) => byName.get(modelName({ source, target })));
    if (models.length > 0 && models.every((model) => model !== undefined)) return models;
  }
  throw new DragomanError('not_found', `there are no models for ${escapeControls(pair)}`, {
    hint: withSuggestion(nearest(pair, byName.keys()), 'dragoman engines list --available shows all.'),
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

/**
 * The package's WebAssembly handles the format of the records, routes, zstd and SHA-256. It is compiled when a model is
 * installed. The package is CommonJS, and its types omit its default export.
 */
async function load(): Promise<Pick<typeof fxtranslate, 'resolveRoute' | 'verifyAndDecompress'>> {
  const loaded: object = await import('fxtranslate');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node imports a CommonJS package this way
  return (loaded as { readonly default: typeof fxtranslate }).default;
}

/** Decompresses a zstd file. @throws if it is damaged, or its SHA-256 is not `sha256` */
export async function decompress(bytes: Uint8Array, sha256: string | undefined): Promise<Uint8Array> {
  return (await load()).verifyAndDecompress(bytes, sha256);
}

/** The directions, one or two, from source to target according to the records; undefined without a route. */
async function routeOf(
  records: string,
  source: string,
  target: string,
): Promise<readonly (readonly [string, string])[] | undefined> {
  const { resolveRoute } = await load();
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- documented by the package
    const route = JSON.parse(resolveRoute(records, source, target)) as {
      readonly src: string;
      readonly pivot?: string;
      readonly trg: string;
    };
    const { src, pivot, trg } = route;
    return pivot === undefined
      ? [[src, trg]]
      : [
          [src, pivot],
          [pivot, trg],
        ];
  } catch {
    return undefined;
  }
}
