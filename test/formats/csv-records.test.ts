import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { recordsIn, type CsvRecord } from '../../src/formats/csv/records.ts';

async function* cut(text: string, places: readonly number[]): AsyncGenerator<string> {
  let from = 0;
  for (const place of [...places, text.length].map((at) => Math.min(at, text.length)).sort((a, b) => a - b)) {
    yield await Promise.resolve(text.slice(from, place));
    from = place;
  }
}

async function read(text: string, places: readonly number[] = []): Promise<readonly CsvRecord[]> {
  const rows: CsvRecord[] = [];
  for await (const row of recordsIn(cut(text, places), 1_000)) rows.push(row);
  return rows;
}

describe('rows of a table that arrives in pieces', () => {
  it('equal those of csv-parse, no matter where the table is split', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', ' ', ';', ',', '"', '\n', '\r\n'),
      maxLength: 6,
    });
    const cell = fc.oneof(
      text.map((value) => `"${value.replaceAll('"', '""')}"`),
      fc.constantFrom('', 'a', 'b c'),
    );
    const row = fc.array(cell, { minLength: 1, maxLength: 4 });
    const end = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 8 }),
        end,
        fc.array(fc.nat(120)),
        async (rows, line, places) => {
          const table = ['k,k,k', ...rows.map((cells) => cells.join(','))].join(line);
          const found = await read(table, places);
          const known: unknown = parse(table, { relax_column_count: true, skip_empty_lines: true });
          expect(found.map(({ cells }) => cells)).toEqual(known);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('have their line numbers', async () => {
    const rows = await read('a,b\r\n\r\n"1\n2",3\r\n4', [4, 5, 9]);
    expect(rows.map(({ cells, line }) => [line, ...cells])).toEqual([
      [1, 'a', 'b'],
      [3, '1\n2', '3'],
      [5, '4'],
    ]);
  });

  it.each([
    ['a,b\n1,"2', 2],
    ['a,b\n\n1,"2"3\n4,5', 3],
    ['a,b\n1,2"\n4,5', 2],
  ])('are refused if quotes do not match: %j', async (text, line) => {
    await expect(read(text, [5, 7])).rejects.toMatchObject({ code: 'unreadable_input', at: { line } });
  });

  it('are refused if a cell does not end', async () => {
    await expect(read(`a\n"${'x'.repeat(2_000)}`, [500])).rejects.toMatchObject({
      code: 'limit_exceeded',
      at: { line: 2 },
    });
  });
});
