import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { slotIds } from '../../src/documents/localization/pairing.ts';
import { buildTarget, makeSkeleton } from '../../src/documents/localization/target.ts';
import { csv } from '../../src/formats/csv/format.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('csv', csv);

const value = fc.constantFrom(
  'One',
  'a, b',
  'x;y',
  'say "hi"',
  'two\nlines',
  'é 😀',
  '',
  ' edge ',
  "it's",
  '{n}',
  '\t',
);
const writing = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  quotesAll: fc.boolean(),
  isRagged: fc.boolean(),
  end: fc.boolean(),
});

type Writing = typeof writing extends fc.Arbitrary<infer T> ? T : never;

function write(
  rows: readonly (readonly string[])[],
  { delimiter, lineEnd, quotesAll, isRagged, end }: Writing,
): string {
  const cell = (text: string): string =>
    quotesAll || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row, i) => {
    const last = isRagged && i > 0 ? row.findLastIndex((text) => text !== '') + 1 : row.length;
    return row.slice(0, Math.max(1, last)).map(cell).join(delimiter);
  });
  return lines.join(lineEnd) + (end ? lineEnd : '');
}

const columns = fc
  .uniqueArray(fc.constantFrom('de', 'fr', 'pt-BR', 'German(de)', 'Comments', 'Status'), { maxLength: 4 })
  .map((others) => ['key', 'en', ...others]);
const table = columns.chain((names) =>
  fc
    .array(fc.tuple(...names.map(() => value)), { maxLength: 5 })
    .map((rows) => [names, ...rows.map((row, i) => [i === 3 ? '' : `key ${i}`, ...row.slice(1)])]),
);
const documents = fc.tuple(table, writing).map(([rows, style]) => write(rows, style));

const cellsOf = (text: string, delimiter: string): string[][] =>
  parse(text, { delimiter, relax_column_count: true, relax_quotes: true });

function delimiterIn(text: string): string {
  return /^"?key"?([,;\t])/.exec(text)?.[1] ?? ',';
}

formatContract(csv, {
  documents,
  oracle: ({ text, slots }) => {
    const [, ...rows] = cellsOf(text, delimiterIn(text));
    const english = rows.flatMap(([key = '', text_ = '']) =>
      key === '' || text_ === '' ? [] : [[key, text_]],
    );
    expect(slots.map(({ key, value: own }) => [key[0], own])).toEqual(english);
  },
});

describe('a language in a table', () => {
  it('gets a new column or its own empty cells, and nothing else changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.constantFrom('de', 'es', 'pt-BR'),
        fc.infiniteStream(fc.boolean()),
        async (source, locale, chance) => {
          const file = await openBytes(Buffer.from(source), 'x.csv', { locale: 'en' });
          const existing = await openBytes(Buffer.from(source), 'x.csv', { locale });
          const skeleton = makeSkeleton(file, { locale, spelling: locale }, existing.document);
          const values = new Map(
            slotIds(skeleton)
              .filter(() => chance.next().value)
              .map((id, i) => [id, `new, "${i}"; ${locale}`]),
          );
          const target = buildTarget({ source: file, skeleton, existing, values, locale, spelling: locale });
          const written = Buffer.from(target.bytes).toString();
          expect(target.rejected.size).toBe(0);
          const ids = slotIds(target.document);
          const read = new Map(target.document.slots.map((slot, i) => [ids[i], slot.value]));
          for (const [id, wanted] of values) expect(read.get(id)).toBe(wanted);
          if (values.size === 0) expect(written).toBe(source);
          const delimiter = delimiterIn(source);
          const [names = [], ...before] = cellsOf(source, delimiter);
          const own = names.findIndex((name) => name === locale || name.endsWith(`(${locale})`));
          const after = cellsOf(written, delimiter).slice(1);
          expect(after.length).toBe(before.length);
          for (const [i, row] of before.entries())
            for (const [j, cell] of row.entries()) if (j !== own) expect(after[i]?.[j]).toBe(cell);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is distinguished from other columns', () => {
    expect(csv.languages?.('id,en,de,Comments\n')).toEqual({ source: undefined, all: ['en', 'de'] });
    expect(csv.languages?.('\ufeffKey;Id;Shared Comments;English(en);German(de)\r\n')).toEqual({
      source: undefined,
      all: ['en', 'de'],
    });
    for (const other of ['term,en,de\n', 'price,amount\n', 'key,value\n', '"a","b"\n', ''])
      expect(csv.languages?.(other), other).toBeUndefined();
  });
});
