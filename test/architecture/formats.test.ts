import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SUBTITLE_FORMATS } from '../../src/formats/subtitles/format.ts';
import { FORMAT_IDS } from '../../src/formats/registry.ts';
import { CONFIGURATION_SCHEMA } from '../../src/project/config/configuration.ts';

const src = resolve(import.meta.dirname, '../../src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: codeOf(readFileSync(join(src, file), 'utf8')) }));

/** The code without comments, and without packages named like a format. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*|from '[^']*'(?: with \{[^}]*\})?/gm, '');
}

/** Places where a word that is also a format id has another meaning. */
const OTHER_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  // A notation of translation memories and glossaries.
  csv: ['cli/', 'memory/exchange/', 'project/glossary/'],
  // The notation of requests, logs, responses of the review page, reports and other tools' configurations; also the
  // format of the example job.
  json: ['cli/', 'client/', 'exchange/formats.ts', 'contract/', 'server/', 'project/config/foreign.ts'],
  // The command `markdown`.
  markdown: ['cli/'],
  // The format that `--mdx` selects.
  mdx: ['cli/commands/markdown.ts'],
  // The extension of Yii's messages.
  php: ['formats/yii/'],
  // A notation of translation memories and of files for translators.
  po: ['cli/commands/memory/', 'exchange/', 'memory/exchange/'],
  // The root element of Java properties in XML.
  properties: ['formats/xml/'],
  // The input of a service, which is single texts or jobs; also a member of String Catalogs.
  strings: ['cli/', 'project/plan/pricing.ts', 'formats/xcstrings/'],
  // The format strings of programs that use Qt.
  qt: ['text/', 'formats/po/flags.ts'],
  // An encoding of files for translators, and the syntax of texts with inline elements of XLIFF.
  xliff: ['exchange/', 'text/', 'pipeline/evaluation/test-set.ts'],
  // The notation in which DeepL gets tags.
  xml: ['engines/deepl/'],
};

describe('a format', () => {
  it.each(FORMAT_IDS)('needs only its folder and one line: %s', (id) => {
    const isString = new RegExp(`(['"\`])${id}\\1`);
    const places = sources.filter(({ text }) => isString.test(text)).map(({ file }) => file);
    // A framework lists the formats of its files.
    const own = [`formats/${id}/`, 'frameworks/', ...(OTHER_MEANINGS[id] ?? [])];
    expect(places.filter((file) => !own.some((place) => file.startsWith(place)))).toEqual([]);
    const importers = sourcesThatImport(`/${id}/description.ts`);
    expect(importers.filter((file) => file.startsWith('formats/'))).toEqual(['formats/registry.ts']);
  });

  it('is used through its properties, never by its name', () => {
    const asks = /\bformat\.id [!=]== |\bresource\.format [!=]== /;
    expect(sources.filter(({ text }) => asks.test(text)).map(({ file }) => file)).toEqual([]);
  });

  /** A format that extends another one has only the files that differ. */
  const isWhole = (id: string): boolean =>
    !/from '\.\.\/\w+\/format\.ts'/.test(readFileSync(join(src, 'formats', id, 'format.ts'), 'utf8'));

  it.each(FORMAT_IDS.filter(isWhole))('has its parts in files with the same names: %s', (id) => {
    const directory = join(src, 'formats', id);
    const taken = readFileSync(join(directory, 'format.ts'), 'utf8').matchAll(/from '\.\.\/\w+\/(\w+\.ts)'/g);
    const found = [...readdirSync(directory), ...Array.from(taken, ([, file]) => file)];
    expect(found).toEqual(expect.arrayContaining(PARTS));
  });

  it('can be named in a configuration', () => {
    const rule = CONFIGURATION_SCHEMA.properties?.['files']?.items?.properties;
    expect(rule?.['format']?.enum).toEqual([...FORMAT_IDS, ...SUBTITLE_FORMATS]);
  });
});

/** Names of a format's files; a format may use those of another format instead. */
const PARTS = ['description.ts', 'format.ts', 'scan.ts', 'encode.ts', 'insert.ts'];

function sourcesThatImport(path: string): readonly string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && readFileSync(join(src, file), 'utf8').includes(`${path}'`),
  );
}
