import fc from 'fast-check';
import { digestOf } from '../../src/base/digest.ts';
import { writePo } from '../../src/exchange/po-writer.ts';
import { type ExchangeDocument, type ExchangeUnit, writeUnitId } from '../../src/exchange/unit.ts';
import { writeXliff } from '../../src/exchange/xliff-writer.ts';

export function unitId(row: string, base = ''): string {
  return writeUnitId({ project: 'p'.repeat(22), locale: 'es', row, form: 0, source: 's'.repeat(16), base });
}

export function unit(fields: Partial<ExchangeUnit> = {}): ExchangeUnit {
  return {
    id: unitId('r1'),
    key: 'menu.open',
    file: 'locales/en.json',
    source: 'Open',
    syntax: 'plain',
    state: fields.translation === undefined ? 'initial' : 'translated',
    ...fields,
  };
}

export type TextFormat = '1.2' | '2.0' | 'po';

interface Skipped {
  readonly unit: ExchangeUnit;
  readonly reason: string;
}

export function documentOf(
  units: readonly ExchangeUnit[],
  target = 'es',
): { readonly document: ExchangeDocument; readonly skipped: readonly Skipped[] } {
  const skipped: Skipped[] = [];
  const onSkip = (one: ExchangeUnit, reason: string): void => void skipped.push({ unit: one, reason });
  return { document: { source: 'en', target, units, version: '1', onSkip }, skipped };
}

export function write(
  units: readonly ExchangeUnit[],
  format: TextFormat,
): { readonly text: string; readonly skipped: readonly Skipped[] } {
  const { document, skipped } = documentOf(units);
  const chunks = format === 'po' ? writePo(document) : writeXliff(document, format);
  return { text: [...chunks].join(''), skipped };
}

const NOTATIONS =
  '{name}|%s|%1$d|<b>|</b>|<br/>|&amp;|&lt;|&#13;|\n|\r\n|\r|\t|  |]]>|"|\\n|{n, plural, one {# file} other {# files}}|_x0041_|=1+1|\u0007|\u0000|\ud83d|👩‍👩‍👧|العربية';

/** Texts with placeholders, tags, notations of each format, and characters that a format may lose. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...NOTATIONS.split('|')), fc.string({ maxLength: 6, unit: 'grapheme' })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const optional = fc.option(text, { nil: undefined });

export const randomUnits = fc
  .array(
    fc.record({
      key: text,
      source: text,
      translation: optional,
      comment: optional,
      syntax: fc.constantFrom('plain', 'icu', 'i18next', 'markup', 'android', 'c'),
      file: fc.constantFrom('locales/en.json', 'a b/<c>"&.json'),
      category: fc.constantFrom(undefined, 'one', 'other'),
      needsReview: fc.constantFrom(undefined, 'machine', 'source-changed'),
      sourceBefore: optional,
      limit: fc.constantFrom(undefined, { max: 30, unit: 'characters' }, { max: 30, unit: 'columns' }),
    } as const),
    { maxLength: 6 },
  )
  .map((all) =>
    all.map((fields, i) => unit({ ...fields, id: unitId(`r${i}`, digestOf(fields.translation ?? '')) })),
  );
