import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FRAMEWORK_IDS } from '../../src/frameworks/registry.ts';
import { CONFIGURATION_SCHEMA } from '../../src/project/config/configuration.ts';

const src = resolve(import.meta.dirname, '../../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const textOf = (file: string): string => readFileSync(join(src, file), 'utf8');

/** Descriptions, and what owns the notation of files, the syntax of messages and the spelling of codes. */
const KNOWING = /^(?:frameworks|formats|text|languages)\//;

const sources = files
  .filter((file) => !KNOWING.test(file))
  .map((file) => ({ file, text: textOf(file).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*|from '[^']*'/gm, '') }));

/** Lists of the syntaxes of messages, some of which are called as frameworks are. */
const SYNTAXES = ['plugins/answer.ts', 'pipeline/evaluation/test-set.ts'];

/** Where a word that is the id of a framework means something else. */
const OTHER_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  // A spelling of locales.
  android: ['project/config/foreign.ts'],
  gettext: ['memory/exchange/po-writer.ts'],
  // The syntax of texts without one, and text without markup.
  plain: [
    'cli/',
    'pipeline/',
    'documents/',
    'engines/',
    'client/',
    'service/',
    'memory/',
    'plugins/',
    'project/',
  ],
};

/** Names of directories and files that a framework alone has. */
const NAMES =
  /\bvalues-|\.lproj|\.xcloc|\b_locales|\bLC_MESSAGES|\bdonottranslate|package\.nls|bundle\.l10n|\bPOTFILES|angular\.json|\.vitepress|docusaurus|starlight|hugo\b|l10n\.yaml/;

/** Layouts of other tools' configurations, and examples in messages and help. */
const NAMING = new Set(['project/config/foreign.ts', 'project/discover/passed-over.ts']);

describe('a framework', () => {
  it.each(FRAMEWORK_IDS)('costs its file and one line: %s', (id) => {
    const importers = files.filter(
      (file) => textOf(file).includes(`/${id}.ts'`) && file.startsWith('frameworks/'),
    );
    expect(importers).toEqual(['frameworks/registry.ts']);
  });

  it.each(FRAMEWORK_IDS)('is known by its description only: %s', (id) => {
    const isString = new RegExp(`(['"\`])${id}\\1`);
    const places = sources.filter(({ text }) => isString.test(text)).map(({ file }) => file);
    const own = [...SYNTAXES, ...(OTHER_MEANINGS[id] ?? [])];
    expect(places.filter((file) => !own.some((place) => file.startsWith(place)))).toEqual([]);
  });

  it('has its directories and files to itself', () => {
    const places = sources.filter(({ text }) => NAMES.test(text)).map(({ file }) => file);
    expect(places.filter((file) => !NAMING.has(file))).toEqual([]);
  });

  it('can be named in a configuration', () => {
    const { properties } = CONFIGURATION_SCHEMA;
    expect(properties?.['framework']?.enum).toEqual(FRAMEWORK_IDS);
    expect(properties?.['files']?.items?.properties?.['framework']?.enum).toEqual(FRAMEWORK_IDS);
  });
});
