import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILT_IN_FORMATS, describeFormat } from '../../src/formats/registry.ts';
import {
  creationDateOf,
  declaredSourceOf,
  formatOfFile,
  hasMessagesOfAll,
  hasTextsAsKeys,
  hasTextsOfItsOwn,
  isOwnExport,
  isTranslationOf,
  listsRecords,
  mayHaveTexts,
  newestFirst,
} from '../../src/project/discover/catalogue.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { findGrowth } from '../hostile/growth.ts';
import type { Times, Work } from '../hostile/work.ts';
import { processorTime } from '../processor-time.ts';

const PO = describeFormat('po');
const JSON_FORMAT = describeFormat('json');
const NAMES = ['a.json', 'a.po', 'a.ts', 'a.properties', 'a.xlf'];

/** The maximum number of characters that are read from a file. */
const READ = 1 << 18;
/** In milliseconds of processor time. */
const MOST = 1000;

/** The beginnings of constructs that the readers look for. A hostile file repeats them without ever ending one. */
const PIECES: readonly string[] = [
  'POT-Creation-Date: 2024-01-31 12:00+01',
  'POT-Creation-Date: ',
  '"a b": ',
  '"\\"',
  "'\\'",
  'a ',
  'a\t: ',
  '"" = "',
  '/*',
  '// ',
  '<?php return ',
  '<?php declare(',
  '<!--',
  '<a',
  'a.b = ',
  '\\u',
  '\\u0041',
  'msgid "',
  'msgid ""\nmsgstr ""\n',
  '[{"a": ',
  '{',
  '\n',
  ' ',
  '字',
];

it.each(PIECES)('a catalogue of %j is judged in linear time', { timeout: 600_000 }, async (piece) => {
  const root = temporaryDirectory();
  const path = (name: string): string => join(root, name);
  const work: Work = async (text) => {
    for (const name of [...NAMES, 'b.properties']) writeFileSync(path(name), text);
    const times: Times = new Map();
    const time = async (step: string, run: () => unknown): Promise<void> => {
      const begin = processorTime();
      await run();
      times.set(step, processorTime() - begin);
    };
    for (const name of NAMES) {
      await time(`format ${name}`, () => formatOfFile(root, name, BUILT_IN_FORMATS));
      await time(`texts as keys ${name}`, () => hasTextsAsKeys(root, name));
      await time(`texts ${name}`, () => mayHaveTexts(root, name));
      await time(`export ${name}`, () => isOwnExport(root, name));
    }
    await time('date', () => creationDateOf(root, 'a.po'));
    await time('source', () => declaredSourceOf(root, 'a.po', PO));
    await time('own texts', () => hasTextsOfItsOwn(root, 'a.po', PO));
    await time('messages', () => hasMessagesOfAll(root, 'a.po', ['a.po'], PO));
    await time('records', () => listsRecords(root, 'a.json', JSON_FORMAT));
    await time('translation', () => isTranslationOf(root, 'a.properties', 'b.properties'));
    return times;
  };
  for (const start of ['', '"', '/*', '<']) {
    const make = (length: number): string => start + piece.repeat(length / piece.length);
    expect(await findGrowth(work, { name: piece, make })).toEqual([]);
    // Some readers read so little that the growth may not show, but quadratic time would take seconds.
    expect([...(await work(make(READ)))].filter(([, time]) => time > MOST)).toEqual([]);
  }
});

it('many catalogues are sorted in linear time', { timeout: 600_000 }, async () => {
  const root = temporaryDirectory();
  writeFileSync(join(root, 'a.po'), '"POT-Creation-Date: 2024-01-31 12:00+0100\\n"\n');
  const work: Work = (text) => {
    const paths = Array.from({ length: text.length / 30 }, (_, i) => (i % 2 === 0 ? 'a.po' : `${i}.po`));
    const begin = processorTime();
    newestFirst(root, paths);
    return Promise.resolve(new Map([['newest', processorTime() - begin]]));
  };
  expect(await findGrowth(work, { name: 'paths', make: (length) => ' '.repeat(length) })).toEqual([]);
});
