import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../src/exchange/xlsx-reader.ts';
import { writeXlsx } from '../../src/exchange/xlsx-writer.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { works } from '../readers/process.ts';
import { documentOf, randomUnits, unit, unitId, write } from './units.ts';

const samples = fc.sample(randomUnits, { numRuns: 60, seed: 7 });

/** OASIS' `xliff_core_2.0.xsd`, which its licence keeps out of this repository. */
const SCHEMA = process.env['XLIFF2_SCHEMA'];

describe.runIf(SCHEMA !== undefined && works('xmllint', ['--version']))(
  'the schema of XLIFF 2 (needs XLIFF2_SCHEMA, the path of xliff_core_2.0.xsd, and xmllint)',
  () => {
    it('accepts every document', () => {
      const directory = temporaryDirectory();
      const states = (['initial', 'translated', 'reviewed', 'final'] as const).map((state, i) =>
        unit({ id: unitId(`s${i}`), state, translation: 'Abrir', limit: { max: 9, unit: 'bytes in UTF-8' } }),
      );
      const documents = [states, ...samples].map((units) => write(units, '2.0').text);
      // A document without units has no files, and is not written by the command.
      const files = documents
        .filter((text) => text.includes('<unit'))
        .map((text, i) => {
          const path = join(directory, `${i}.xlf`);
          writeFileSync(path, text);
          return path;
        });
      expect(files.length).toBeGreaterThan(20);
      const { status, stderr } = spawnSync('xmllint', ['--noout', '--schema', SCHEMA ?? '', ...files], {
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect(status, stderr).toBe(0);
    });
  },
);

/** Text cells of the first sheet, quoted, in UTF-8. */
const CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,-1';

describe.runIf(works('soffice', ['--version']))('LibreOffice (needs soffice)', () => {
  function convert(directory: string, file: string, format: string, out: string): void {
    const profile = `-env:UserInstallation=file://${join(directory, 'profile')}`;
    const { status, stderr, error } = spawnSync(
      'soffice',
      [profile, '--headless', '--convert-to', format, '--outdir', out, file],
      { encoding: 'utf8', timeout: 110_000 },
    );
    expect({ status, error, stderr }).toMatchObject({ status: 0, error: undefined });
  }

  it('shows the texts, and saves a workbook that an import reads', async () => {
    const directory = temporaryDirectory();
    const texts = [
      '=1+1',
      '0012',
      '1/2',
      ' blanks ',
      'TRUE',
      'a "b", c',
      'two\nlines',
      '_x0041_',
      '日本',
      "'a",
      '1e5',
    ];
    const { document } = documentOf(
      texts.map((source, i) => unit({ id: unitId(`r${i}`), key: `k${i}`, source, translation: source })),
    );
    const file = join(directory, 'texts.xlsx');
    writeFileSync(file, await writeXlsx(document));
    convert(directory, file, CSV, directory);
    const rows = parse(readFileSync(join(directory, 'texts-es.csv'), 'utf8'), { columns: true }) as Record<
      string,
      string
    >[];
    expect(rows.map(({ Source, Translation }) => [Source, Translation])).toEqual(
      texts.map((one) => [one, one]),
    );
    const out = join(directory, 'saved');
    convert(directory, file, 'xlsx', out);
    const units = await readXlsx(readFileSync(join(out, 'texts.xlsx')));
    expect(units.map(({ id, value, fault }) => [id, value, fault])).toEqual(
      document.units.map(({ id, source }) => [id, source, undefined]),
    );
  });
});
