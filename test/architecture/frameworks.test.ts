import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FRAMEWORKS } from '../../src/frameworks/registry.ts';
import { CONFIGURATION_SCHEMA } from '../../src/project/config/configuration.ts';

const src = resolve(import.meta.dirname, '../../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const textOf = (file: string): string => readFileSync(join(src, file), 'utf8');

/** Descriptions, and the owners of file notations, message syntaxes and code spellings. */
const KNOWING = /^(?:frameworks|formats|text|languages)\//;

const sources = files
  .filter((file) => !KNOWING.test(file))
  .map((file) => ({ file, text: textOf(file).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*|from '[^']*'/gm, '') }));

/** Lists of message syntaxes, some of which are named like frameworks. */
const SYNTAXES = ['plugins/program-format.ts', 'pipeline/evaluation/test-set.ts'];

/** Places where a word that is also a framework id has another meaning. */
const OTHER_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  // A spelling of locales.
  android: ['project/config/foreign.ts'],
  gettext: ['exchange/po-writer.ts', 'memory/exchange/po-writer.ts'],
  // The syntax of texts that have no placeholders, and text without markup.
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

/** Manifests, directories and extensions in the descriptions, except those that have other meanings everywhere. */
const DESCRIBED = new Set(
  FRAMEWORKS.flatMap(({ evidence, layouts = [], languageList }) => [
    ...evidence.flatMap(({ files }) => files.map((file) => file.replace('*', ''))),
    ...layouts.flatMap(({ directory, baseDirectory, extensions = {} }) => [
      ...[directory?.parent, directory?.child, baseDirectory].filter((name) => name !== undefined),
      ...Object.keys(extensions).map((extension) => `.${extension}`),
    ]),
    ...(languageList ? [languageList.name, languageList.extension] : []),
  ]),
);

/** Places where the name of a framework has another meaning. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  // Configurations of dragoman itself and of cosmiconfig.
  'package.json': ['project/config/'],
  'config.yaml': ['cli/', 'project/config/', 'engines/exec/exec.ts'],
  'config.yml': ['project/config/'],
  // Parts of types, and the place of a path among directories.
  values: ['documents/localization/target.ts', 'project/sync/file-decisions.ts'],
  language: [
    'project/discover/path-language.ts',
    'cli/',
    'client/',
    'contract/',
    'engines/',
    'jobs/',
    'memory/',
    'server/',
    'service/',
    'store/',
  ],
  // Memories may be exchanged as catalogues; a worker's script may be TypeScript.
  '.po': ['cli/commands/memory/', 'exchange/formats.ts'],
  '.ts': ['workers/'],
};

/** A name as a string, or as a part of a path or of an expression. */
const asName = (name: string): RegExp =>
  new RegExp(`['"\`/]${name.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\\\?\\$&')}(?:['"\`/$]|\\$)`);

/** Names of directories and files that only one framework has. */
const NAMES =
  /\bvalues-|\.lproj|\.xcloc|\b_locales|\bLC_MESSAGES|\bdonottranslate|package\.nls|bundle\.l10n|\bPOTFILES|angular\.json|\.vitepress|docusaurus|starlight|hugo\b|l10n\.yaml/;

/** Layouts of other tools' configurations, and examples in messages and help. */
const NAMING = new Set(['project/config/foreign.ts', 'project/discover/passed-over.ts']);

const FRAMEWORK_IDS = FRAMEWORKS.map(({ id }) => id);

describe('a framework', () => {
  it.each(FRAMEWORK_IDS)('needs only its file and one line: %s', (id) => {
    const importers = files.filter(
      (file) => textOf(file).includes(`/${id}.ts'`) && file.startsWith('frameworks/'),
    );
    expect(importers).toEqual(['frameworks/registry.ts']);
  });

  it.each(FRAMEWORK_IDS)('is used only through its description: %s', (id) => {
    const isString = new RegExp(`(['"\`])${id}\\1`);
    const places = sources.filter(({ text }) => isString.test(text)).map(({ file }) => file);
    const own = [...SYNTAXES, ...(OTHER_MEANINGS[id] ?? [])];
    expect(places.filter((file) => !own.some((place) => file.startsWith(place)))).toEqual([]);
  });

  it('keeps its directories and files to itself', () => {
    const places = sources.filter(({ text }) => NAMES.test(text)).map(({ file }) => file);
    expect(places.filter((file) => !NAMING.has(file))).toEqual([]);
  });

  it.each([...DESCRIBED])('is the only one that has %s', (name) => {
    const pattern = asName(name);
    const own = [...NAMING, ...(OTHER_NAMES[name] ?? [])];
    const places = sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
    expect(places.filter((file) => !own.some((place) => file.startsWith(place)))).toEqual([]);
  });

  it('is never compared by name, except for the plain one', () => {
    const comparisons = sources.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line) => {
        const isCompared =
          /framework(?:\??\.\w+)?\s*[!=]==?(?!\s*undefined)|[!=]==?\s*\w*\.?framework\b/i.test(line);
        return isCompared || (/case '|\.title\s*[!=]==/.test(line) && /framework/i.test(line))
          ? [`${file}: ${line.trim()}`]
          : [];
      }),
    );
    expect(comparisons.filter((line) => !/framework !== PLAIN/.test(line))).toEqual([]);
  });

  it('can be named in a configuration', () => {
    const { properties } = CONFIGURATION_SCHEMA;
    expect(properties?.['framework']?.enum).toEqual(FRAMEWORK_IDS);
    expect(properties?.['files']?.items?.properties?.['framework']?.enum).toEqual(FRAMEWORK_IDS);
  });
});
