import { deflateRawSync } from 'node:zlib';
import { type Cell, readXlsx as readBook, writeXlsx as writeBook } from 'hucre/xlsx';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeXlsx } from '../../src/exchange/xlsx-writer.ts';
import { readXlsx } from '../../src/exchange/xlsx-reader.ts';
import { requireBoundedZip } from '../../src/exchange/zip-directory.ts';
import { documentOf, randomUnits, unit, unitId } from './units.ts';

describe('XLSX', () => {
  it('reads back each text that it writes, and reports the others', async () => {
    await fc.assert(
      fc.asyncProperty(randomUnits, async (units) => {
        const { document, skipped } = documentOf(units);
        const returned = await readXlsx(await writeXlsx(document));
        const left = units.filter((one) => !skipped.some((skip) => skip.unit === one));
        expect(returned.map(({ id, value = '', fault }) => ({ id, value, fault }))).toEqual(
          left.map(({ id, translation = '' }) => ({ id, value: translation, fault: undefined })),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('has cells of text, a hidden id, and notes for the translator', async () => {
    const { document } = documentOf([
      unit({ translation: '=1+1', comment: 'A button', needsReview: 'machine' }),
    ]);
    const { sheets } = await readBook(await writeXlsx(document), { readStyles: true });
    expect(sheets[0]?.rows[1]).toEqual([
      'menu.open',
      'Open',
      '=1+1',
      'translated',
      'A button\nmachine',
      'locales/en.json',
      unitId('r1'),
    ]);
    expect(sheets[0]?.cells?.get('1,2')).toMatchObject({ type: 'string', style: { numFmt: '@' } });
  });

  it('skips texts that no cell can hold', async () => {
    const { document, skipped } = documentOf([
      unit({ source: 'a\u0007' }),
      unit({ translation: 'x'.repeat(32_768) }),
    ]);
    expect(await readXlsx(await writeXlsx(document))).toEqual([]);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'a sheet cannot hold control characters',
      'a cell holds at most 32767 characters',
    ]);
  });

  async function sheet(cell: Partial<Cell> | string, id = unitId('r1')): Promise<Uint8Array> {
    const value = typeof cell === 'string' ? cell : '';
    const cells = typeof cell === 'string' ? new Map() : new Map([['1,1', cell]]);
    return writeBook({
      sheets: [
        {
          name: 'es',
          rows: [
            ['ID', 'Translation', 'State'],
            [id, value, 'final'],
          ],
          cells,
        },
      ],
    });
  }

  it('finds columns by their names, and reads the state', async () => {
    expect(await readXlsx(await sheet('Abrir'))).toMatchObject([
      { cell: 'B2', value: 'Abrir', verdict: 'final' },
    ]);
  });

  it.each([
    ['a formula', { type: 'formula', formula: '1+1', formulaResult: 2 }, 'its cell contains a formula'],
    ['a number', { type: 'number', value: 12 }, 'its cell contains a number or date; format it as text'],
    ['a control character', 'a\u0007', 'its cell contains a control character'],
  ] as const)('returns a fault for %s', async (_, cell, fault) => {
    expect(await readXlsx(await sheet(cell))).toMatchObject([{ cell: 'B2', fault }]);
  });

  it('returns a fault for a row whose id was changed', async () => {
    expect(await readXlsx(await sheet('Abrir', 'r1'))).toMatchObject([
      { fault: 'its cell "ID" was changed' },
    ]);
  });

  it('refuses other files and sheets', async () => {
    await expect(readXlsx(Buffer.from('no archive, but long enough for one'))).rejects.toThrow(
      /not a ZIP archive/,
    );
    const other = await writeBook({ sheets: [{ name: 'a', rows: [['x']] }] });
    await expect(readXlsx(other)).rejects.toThrow(/no columns "ID" and "Translation"/);
  });

  it('refuses archives that expand too far, or do not state their size', async () => {
    const packed = deflateRawSync(Buffer.alloc(4 << 20));
    const entry = (size: number, packedSize = packed.length, flags = 0): Uint8Array => {
      const directory = Buffer.alloc(46);
      directory.writeUInt32LE(0x02014b50, 0);
      directory.writeUInt16LE(flags, 8);
      directory.writeUInt16LE(8, 10);
      directory.writeUInt32LE(packedSize, 20);
      directory.writeUInt32LE(size, 24);
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x06054b50, 0);
      end.writeUInt16LE(1, 10);
      return Buffer.concat([directory, end]);
    };
    expect(() => requireBoundedZip(entry(4 << 20), 1 << 20)).toThrow(/expands to more than 1 MB/);
    expect(() => requireBoundedZip(entry(0), 1 << 20)).toThrow(/does not state its size/);
    expect(() => requireBoundedZip(entry(9, 0, 8), 1 << 20)).toThrow(/does not state its size/);
    expect(() => requireBoundedZip(entry(9), 1 << 20)).not.toThrow();
  });

  it('refuses every archive that has a second directory', async () => {
    const bytes = Buffer.from(await sheet('Abrir'));
    const end = bytes.length - 22;
    const sized = Buffer.from(bytes);
    sized.writeUInt32LE(0xffffffff, end + 12);
    expect(() => requireBoundedZip(sized, 1 << 20)).toThrow(/ZIP64/);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    const located = Buffer.concat([bytes.subarray(0, end), locator, bytes.subarray(end)]);
    expect(() => requireBoundedZip(located, 1 << 20)).toThrow(/ZIP64/);
  });

  it('reads only as much of an entry as its directory states', async () => {
    const bytes = Buffer.from(await sheet('Abrir'));
    // Claims that the sheet is one byte long.
    const at = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
    bytes.writeUInt32LE(1, at + 24);
    await expect(readXlsx(bytes)).rejects.toThrow(/not a readable XLSX file/);
  });
});
