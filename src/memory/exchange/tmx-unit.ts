import { contextOf, type MemoryOrigin } from '../../pipeline/memory.ts';
import { tokenize, writeTagged, type TaggedText, type Token } from '../../text/tagged.ts';
import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import type { NewEntry } from '../stored-memory.ts';
import { parseNames } from './context-name.ts';
import type { MemoryImportOptions, Skip } from './exchange.ts';
import { idOf } from './notation.ts';
import { entryOf, isSkip } from './translation-entry.ts';
import { spellSegments } from './tmx-inline.ts';
import { targetOf, UNWANTED } from './target-language.ts';
import { PROPERTIES, SEGMENT_END } from './tmx-names.ts';
import { type TmxPiece, type TmxUnit, type TmxVariant, readUnits } from './tmx-reader.ts';
import type { Chunks } from './text-stream.ts';

/** The entries of a unit: one per wanted translation, or the reason why it was skipped. */
export function entriesOf(unit: TmxUnit, options: MemoryImportOptions): readonly (NewEntry | Skip)[] {
  const skip = (reason: Skip['reason'], detail: string, at = unit.at): readonly Skip[] => [
    { reason, detail, at },
  ];
  const source = chooseSource(unit, options.source);
  if (typeof source === 'string') return skip('language', source);
  const others = unit.variants.filter((variant) => variant !== source.variant);
  if (others.length === 0) return skip('untranslated', 'it has no translation');
  return others.flatMap((variant): readonly (NewEntry | Skip)[] => {
    const target = targetOf(variant.language, options.targets, unit.variants);
    if (target === undefined) {
      return skip('language', `unknown language ${JSON.stringify(variant.language)}`, variant.at);
    }
    // Skips languages that are not imported, and further texts in the source language.
    if (target === UNWANTED || target === source.locale) return [];
    const entry = translate(unit, source, { variant, locale: target }, options);
    return [isSkip(entry) ? { ...entry, at: variant.at } : entry];
  });
}

interface Side {
  readonly variant: TmxVariant;
  /** Canonical. */
  readonly locale: string;
}

function chooseSource(unit: TmxUnit, wanted: string | undefined): Side | string {
  const declared = unit.source === '*all*' ? undefined : unit.source && parseLocale(unit.source);
  const find = (locale: string): TmxVariant | undefined =>
    unit.variants.find(({ language }) => parseLocale(language) === locale) ??
    unit.variants.find(({ language }) => isSame(parseLocale(language), locale));
  const locale = wanted ?? declared;
  if (locale === undefined) {
    const what =
      unit.source === undefined ? 'it has no source language' : `its source language is ${unit.source}`;
    return `${what}: name one with --source`;
  }
  const variant = find(locale);
  return variant ? { variant, locale } : `it has no text in the source language ${locale}`;
}

function isSame(code: string | undefined, locale: string): boolean {
  return code !== undefined && sameLanguage(code, locale);
}

function translate(
  unit: TmxUnit,
  source: Side,
  target: Side,
  { origin }: MemoryImportOptions,
): NewEntry | Omit<Skip, 'at'> {
  const { variant, locale } = target;
  const property = (name: string): string | undefined =>
    variant.properties.get(name) ?? unit.properties.get(name);
  const pair = { source: source.locale, target: locale };
  const author = variant.stamp.author ?? unit.stamp.author;
  const shared = {
    pair,
    origin: originOf(property(PROPERTIES.origin), author) ?? origin,
    engine: property(PROPERTIES.engine),
    changed: preciseDate(property(PROPERTIES.changed), variant.stamp.changed ?? unit.stamp.changed),
    category: property(PROPERTIES.category) ?? '',
    context: contextOf(parseNames(property(PROPERTIES.context) ?? '[]') ?? []),
  };
  const names = property(PROPERTIES.placeholders);
  if (names !== undefined) {
    const own = readOwn(source.variant.segment, variant.segment, names);
    return own
      ? { ...own, ...shared }
      : { reason: 'damaged', detail: 'the inline elements of source and translation do not match' };
  }
  const spelled = spellSegments(source.variant.segment, variant.segment);
  const entry = entryOf({ ...shared, source: spelled.source, target: spelled.target, syntax: 'plain' });
  if (isSkip(entry)) return { ...entry, detail: withoutStandIns(entry.detail, spelled.names) };
  const placeholders = entry.placeholders.map((name) => spelled.names.get(name) ?? name);
  return { ...entry, placeholders };
}

/** Other tools that change a translation update the standard date, but not ours. */
function preciseDate(stated: string | undefined, date: Date | undefined): Date | undefined {
  const precise = stated === undefined ? undefined : new Date(stated);
  return precise && date && Math.floor(precise.getTime() / 1000) * 1000 === date.getTime() ? precise : date;
}

/** Many tools mark machine translations with a special author name. */
function originOf(stated: string | undefined, author: string | undefined): MemoryOrigin | undefined {
  if (stated === 'human' || stated === 'machine') return stated;
  return author !== undefined && /^MT!?$/i.test(author) ? 'machine' : undefined;
}

function withoutStandIns(detail: string, names: ReadonlyMap<string, string>): string {
  let text = detail;
  for (const [standIn, name] of [...names].reverse()) text = text.replaceAll(standIn, name || 'placeholder');
  return text;
}

/** Reads a unit that this program wrote, using its properties instead of guesses. */
function readOwn(
  source: readonly TmxPiece[],
  target: readonly TmxPiece[],
  names: string,
): Pick<NewEntry, 'segments' | 'translations' | 'placeholders'> | undefined {
  const placeholders = parseNames(names);
  const from = splitPieces(source);
  const to = splitPieces(target);
  if (!placeholders || from.length !== to.length) return undefined;
  let base = 0;
  let count = 0;
  const segments: TaggedText[] = [];
  const translations: TaggedText[] = [];
  for (const [i, pieces] of from.entries()) {
    const segment = tagged(pieces, base);
    const translation = tagged(to[i] ?? [], base);
    const ids = segment === undefined ? [] : (tokenize(segment) ?? []).flatMap((token) => idOf(token) ?? []);
    const known = new Set(ids);
    const used =
      translation === undefined ? [] : (tokenize(translation) ?? []).flatMap((token) => idOf(token) ?? []);
    if (segment === undefined || translation === undefined || !used.every((id) => known.has(id)))
      return undefined;
    base = ids.reduce((most, id) => Math.max(most, base + id), base);
    count += ids.length;
    segments.push(segment);
    translations.push(translation);
  }
  return count === placeholders.length ? { segments, translations, placeholders } : undefined;
}

function splitPieces(pieces: readonly TmxPiece[]): readonly (readonly TmxPiece[])[] {
  const segments: TmxPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.type === 'ph' && piece.attributes['type'] === SEGMENT_END) segments.push([]);
    else segments.at(-1)?.push(piece);
  }
  return segments;
}

/** Undefined if the elements do not form a tagged text. */
function tagged(pieces: readonly TmxPiece[], base: number): TaggedText | undefined {
  const ids = new Map<string, number>();
  const tokens: Token[] = [];
  for (const piece of pieces) {
    if (piece.type === 'words') {
      tokens.push({ type: 'words', text: piece.text });
      continue;
    }
    const { x = '', i = '' } = piece.attributes;
    const id = piece.type === 'ept' ? (ids.get(i) ?? 0) : Number(x) - base;
    if (!Number.isSafeInteger(id) || id < 1) return undefined;
    if (piece.type === 'bpt') ids.set(i, id);
    const type = piece.type === 'bpt' ? 'open' : piece.type === 'ept' ? 'close' : 'placeholder';
    tokens.push({ type, id });
  }
  const text = writeTagged(tokens);
  return tokenize(text) && text;
}

/**
 * Streams the translations of a TMX file, version 1.1 to 1.4b, from any tool. Inline elements become placeholders;
 * placeholders within the text are found as in a file of plain texts.
 *
 * @throws DragomanError like `readUnits`, with line and column; entries read before remain valid
 */
export async function* readTmx(chunks: Chunks, options: MemoryImportOptions): AsyncGenerator<NewEntry> {
  for await (const unit of readUnits(chunks)) {
    for (const entry of entriesOf(unit, options)) {
      if ('reason' in entry) options.onSkip(entry);
      else yield entry;
    }
  }
}
