import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isXmlText } from '../../src/base/xml-text.ts';
import { writeXlsx } from '../../src/exchange/xlsx-writer.ts';
import type { ExchangeUnit } from '../../src/exchange/unit.ts';
import { works } from '../readers/process.ts';
import { documentOf, randomUnits, write } from './units.ts';

const PYTHON = '/usr/bin/python3';
const PROGRAM = fileURLToPath(new URL('read_exchange.py', import.meta.url));

function readAll(format: string, files: readonly (string | Uint8Array)[]): unknown {
  const { status, stdout, stderr } = spawnSync(PYTHON, [PROGRAM, format], {
    input: JSON.stringify(files.map((file) => ({ data: Buffer.from(file).toString('base64') }))),
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function written(
  format: string,
  units: readonly ExchangeUnit[],
): Promise<{ readonly file: string | Uint8Array; readonly left: readonly ExchangeUnit[] }> {
  if (format !== 'xlsx') {
    const { text, skipped } = write(units, format === 'po' || format === '1.2' ? format : '2.0');
    return { file: text, left: units.filter((one) => !skipped.some((skip) => skip.unit === one)) };
  }
  const { document, skipped } = documentOf(units);
  const file = await writeXlsx(document);
  return { file, left: units.filter((one) => !skipped.some((skip) => skip.unit === one)) };
}

const samples = fc.sample(randomUnits, { numRuns: 60, seed: 7 });

describe.runIf(works(PYTHON, ['-c', 'import translate, lxml']))('independent readers', () => {
  it.each(['po', '1.2', '2.0', 'xlsx'])(
    '%s: find the same ids, sources, translations and names',
    async (format) => {
      const all = (await Promise.all(samples.map((units) => written(format, units)))).filter(
        // A document without texts is not written; translate-toolkit keeps \\a in PO unchanged.
        ({ left }) => left.length > 0 && (format !== 'po' || !JSON.stringify(left).includes('\\u0007')),
      );
      expect(all.length).toBeGreaterThan(samples.length / 5);
      const nameOf = (key: string): readonly string[] =>
        format === '1.2' || format === '2.0'
          ? [Array.from(key, (character) => (isXmlText(character) ? character : '\ufffd')).join('')]
          : [];
      const wanted = all.map(({ left }) =>
        left.map(({ id, source, translation = '', key }) => [id, source, translation, ...nameOf(key)]),
      );
      expect(
        readAll(
          format,
          all.map(({ file }) => file),
        ),
      ).toEqual(wanted);
    },
  );
});

describe.runIf(works('msgfmt', ['--version']))('msgfmt', () => {
  it('accepts every catalogue whose texts end alike', () => {
    for (const units of samples) {
      const same = units.map((one) => ({ ...one, translation: one.source, sourceBefore: undefined }));
      const { stderr, status } = spawnSync('msgfmt', ['-c', '-o', '/dev/null', '-'], {
        input: write(same, 'po').text,
        encoding: 'utf8',
      });
      expect({ status, stderr }).toMatchObject({ status: 0 });
    }
  });
});
