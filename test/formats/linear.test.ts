import { describe, expect, it } from 'vitest';
import { FUZZED } from '../../scripts/fuzz/documents.ts';
import { BUILT_IN_FORMATS, type DescribedFormat } from '../../src/formats/registry.ts';
import { findGrowth } from '../hostile/growth.ts';
import { HOSTILE_NOTATIONS } from '../hostile/notations.ts';
import { someShapes } from '../hostile/shapes.ts';
import { repeat } from '../hostile/texts.ts';
import { type Work, workOn } from '../hostile/work.ts';
import { processorTime } from '../processor-time.ts';

/** Markdown takes ten times as long to read, so `hostile-markdown.test.ts` tests it separately. */
const TRIED = FUZZED.filter((fuzzed) => fuzzed !== 'markdown' && fuzzed !== 'mdx');

/** Beginnings of syntax that never end, which a careless reader looks for again and again. */
describe('hostile files', () => {
  it.each(TRIED)('%s: time grows only with the length', { timeout: 1_200_000 }, async (fuzzed) => {
    const work = await workOn(fuzzed);
    for (const shape of someShapes(HOSTILE_NOTATIONS[fuzzed])) {
      expect(await findGrowth(work, shape), shape.name).toEqual([]);
    }
  });
});

/** Beginnings of files that the regular expressions of format descriptions match. */
const HEADS = [
  '',
  '- ',
  '[{',
  '{"a":"',
  '{"a":{"id"',
  "'a' => '",
  'a',
  'a:',
  'export default {a:',
  'export const a',
  '"POT-Creation-Date:',
  'msgid "a"\nmsgstr "',
  '<TS sourcelanguage=',
  '<file a',
  '/*',
];
const UNITS = [
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  ' ',
  'a',
  '0',
  '"',
  "'",
  '\\"',
  "\\'",
  '{',
  '[',
  '<',
  ',',
  ':',
  '/*',
  '# \r\n',
  '#\n',
  '---\r\n',
  '- ',
  '- a',
  'a: 1\r\n',
  'a: 1\r',
  '"a',
  '"a":',
  '"" : ',
  "'a\n",
  "'' =>",
  '<file ',
  '<TS ',
  '<TS a',
  ' srcLang',
  'export ',
  'export default',
  'export const a',
  'msgid "\n',
  '"POT-Creation-Date:',
  '[{"code": "AB"},',
  '{"a": "b"},',
];
const TEXTS = HEADS.flatMap((head) => UNITS.map((unit) => repeat(unit, { head })));

/** All functions of a description that read the beginning of a file. */
function readersOf(format: DescribedFormat): readonly ((head: string) => unknown)[] {
  const { recognizes, bilingual, charset } = format;
  const ofHead = [format.hasTexts, format.listsRecords, format.holdsRules, format.isExport, charset?.find];
  const place = `messages/a/b.${format.extensions[0] ?? ''}`;
  return [
    ...ofHead,
    recognizes && ((head: string) => recognizes(head, place)),
    bilingual?.hasTextsOfItsOwn,
    bilingual?.countMessages,
    bilingual?.sourceLanguage,
  ].flatMap((read) => read ?? []);
}

/** Runs all functions that read the beginning of a file, as one step. */
function reading(format: DescribedFormat): Work {
  const readers = readersOf(format);
  return (text) => {
    const begin = processorTime();
    for (const read of readers) read(text);
    return Promise.resolve(new Map([[format.id, processorTime() - begin]]));
  };
}

it('descriptions read hostile beginnings in time that grows only with the length', async () => {
  const found: string[] = [];
  for (const format of BUILT_IN_FORMATS.all)
    for (const text of TEXTS)
      for (const grown of await findGrowth(reading(format), text)) found.push(`${text.name} ${grown}`);
  expect(found).toEqual([]);
}, 1_200_000);
