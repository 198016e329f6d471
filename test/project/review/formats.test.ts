import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman } from '../../cli/harness.ts';
import { ProjectDirectory } from '../project-directory.ts';
import { answerTo, rowsOf, save } from './answers.ts';

const WORDS = ['One', 'Two', 'Three'] as const;
const TRANSLATED = ['Uno', 'Dos', 'Tres'] as const;

/** A file with a comment and odd blanks, whose texts are between `head` and `tail`. */
interface Sample {
  readonly format: string;
  readonly source: string;
  readonly target: string;
  readonly head: string;
  /** Includes the source text, for files that have it. */
  readonly entry: (i: number, text: string, source: string) => string;
  readonly tail: string;
  readonly extra?: Readonly<Record<string, string>>;
}

const xliff = (version: string, open: string, close: string): Pick<Sample, 'head' | 'tail'> => ({
  head: `<xliff version="${version}"${open}`,
  tail: `${close}</file></xliff>\n`,
});

const samples: readonly Sample[] = [
  {
    format: 'JSON',
    source: 'locales/en.json',
    target: 'locales/es.json',
    head: '{  ',
    entry: (i, text) => `"k${i}" :  "${text}"${i < 2 ? ',\n' : ''}`,
    tail: ' }',
  },
  {
    format: 'JSON5',
    source: 'locales/en.json5',
    target: 'locales/es.json5',
    head: '{ // a\n',
    entry: (i, text) => `k${i} :  '${text}',\n`,
    tail: '}',
  },
  {
    format: 'YAML',
    source: 'locales/en.yml',
    target: 'locales/es.yml',
    head: '# a\n',
    entry: (i, text) => `k${i}:   "${text}"  # b\n`,
    tail: '',
  },
  {
    format: 'properties',
    source: 'messages_en.properties',
    target: 'messages_es.properties',
    head: '# a\r\n',
    entry: (i, text) => `k${i} :  ${text}\r\n`,
    tail: '',
  },
  {
    format: 'strings',
    source: 'en.lproj/App.strings',
    target: 'es.lproj/App.strings',
    head: '/* a */\n',
    entry: (i, text) => `"k${i}"  =  "${text}" ;\n`,
    tail: '',
  },
  {
    format: 'Android XML',
    source: 'res/values/strings.xml',
    target: 'res/values-es/strings.xml',
    head: '<resources>\n',
    entry: (i, text) => `  <string name='k${i}' >${text}</string><!-- a -->\n`,
    tail: '</resources>',
  },
  {
    format: 'PHP',
    source: 'lang/en/app.php',
    target: 'lang/es/app.php',
    head: '<?php // a\nreturn [\n',
    entry: (i, text) => `  'k${i}'  => '${text}' ,\n`,
    tail: '];\n',
  },
  {
    format: 'TOML',
    source: 'locales/en.toml',
    target: 'locales/es.toml',
    head: '# a\n',
    entry: (i, text) => `k${i}  =  "${text}" # b\n`,
    tail: '',
  },
  {
    format: 'Fluent',
    source: 'locales/en/app.ftl',
    target: 'locales/es/app.ftl',
    head: '### a\n\n',
    entry: (i, text) => `k${i}  =  ${text}\n`,
    tail: '',
  },
  {
    format: 'INI',
    source: 'locales/en.ini',
    target: 'locales/es.ini',
    head: '; a\n[main]\n',
    entry: (i, text) => `k${i}  =  ${text}\n`,
    tail: '',
  },
  {
    format: 'module',
    source: 'src/locales/en.ts',
    target: 'src/locales/es.ts',
    head: 'export default { // a\n',
    entry: (i, text) => `  k${i} :  '${text}',\n`,
    tail: '} as const;\n',
  },
  {
    format: 'Markdown',
    source: 'docs/en/a.md',
    target: 'docs/es/a.md',
    head: '---\nlayout: x\n---\n\n',
    entry: (_i, text) => `*  ${text}\n`,
    tail: '\n<!-- a -->\n',
  },
  {
    format: 'MDX',
    source: 'docs/en/a.mdx',
    target: 'docs/es/a.mdx',
    head: 'export const x = 1\n\n<Note  a={1} >\n\n',
    entry: (_i, text) => `*  ${text}\n`,
    tail: '\n</Note>\n',
  },
  {
    format: 'Yii',
    source: 'messages/en/app.php',
    target: 'messages/es/app.php',
    head: '<?php\nreturn [ // a\n',
    entry: (i, text) => `  'k${i}'  => '${text}' ,\n`,
    tail: '];\n',
    extra: { 'composer.json': '{"require": {"yiisoft/yii2": "2.0.0"}}' },
  },
  {
    format: 'WebVTT',
    source: 'film.en.vtt',
    target: 'film.es.vtt',
    head: 'WEBVTT - a\n\nNOTE b\n\n',
    entry: (i, text) => `00:0${i + 1}.000 --> 00:0${i + 1}.900  line:0\n${text}\n\n`,
    tail: '',
  },
  {
    format: 'PO',
    source: 'es.po',
    target: 'es.po',
    head: 'msgid ""\nmsgstr ""\n"Language: es\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n',
    entry: (i, text, source) => `#: a.c:${i}\nmsgid   "${source}"\nmsgstr  "${text}"\n\n`,
    tail: '#~ msgid "Old"\n#~ msgstr "Viejo"\n',
  },
  {
    format: 'XLIFF 1.2',
    source: 'app.es.xlf',
    target: 'app.es.xlf',
    ...xliff('1.2', '><file source-language="en" target-language="es" original="a"><body>\n', '</body>'),
    entry: (i, text, source) =>
      `<trans-unit id='k${i}' ><source>${source}</source> <target >${text}</target></trans-unit>\n`,
  },
  {
    format: 'XLIFF 2',
    source: 'app.es.xlf',
    target: 'app.es.xlf',
    ...xliff(
      '2.0',
      ' xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="es"><file id="f">\n',
      '',
    ),
    entry: (i, text, source) =>
      `<unit id='k${i}' ><segment><source>${source}</source> <target >${text}</target></segment></unit>\n`,
  },
  {
    format: 'Qt TS',
    source: 'app_es.ts',
    target: 'app_es.ts',
    head: '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="es" sourcelanguage="en"><context><name>A</name>\n',
    entry: (_i, text, source) =>
      `<message ><source>${source}</source> <translation>${text}</translation></message>\n`,
    tail: '</context></TS>',
  },
  {
    format: 'SubRip',
    source: 'film.en.srt',
    target: 'film.es.srt',
    head: '',
    entry: (i, text) => `${i + 1}\n00:00:0${i + 1},000 --> 00:00:0${i + 1},900\n${text}\n\n`,
    tail: '',
  },
];

const catalog = (texts: readonly string[]): string =>
  `{\n  "sourceLanguage" : "en",\n  "strings" : {\n${WORDS.map((word, i) => `    "${word}" : { "localizations" : { "es" : { "stringUnit" : { "state" : "translated",  "value" : "${texts[i]}" } }, "fr" : { "stringUnit" : { "state" : "translated", "value" : "F" } } } }`).join(',\n')}\n  },\n  "version" : "1.0"\n}`;
const table = (texts: readonly string[]): string =>
  `key,en,es,fr\r\n${WORDS.map((word, i) => `k${i},${word},"${texts[i]}",F\r\n`).join('')}`;

const files = new Map<
  string,
  {
    readonly target: string;
    readonly text: (texts: readonly string[]) => string;
    readonly files: Readonly<Record<string, string>>;
  }
>([
  ...samples.map(({ format, source, target, head, entry, tail, extra }) => {
    const text = (texts: readonly string[]): string =>
      head + texts.map((one, i) => entry(i, one, WORDS[i] ?? '')).join('') + tail;
    return [format, { target, text, files: { ...extra, [source]: text(WORDS) } }] as const;
  }),
  ['String Catalog', { target: 'App.xcstrings', text: catalog, files: {} }] as const,
  ['CSV', { target: 'texts.csv', text: table, files: {} }] as const,
]);

/** What an import adds to the texts that it writes, because nobody has approved them, and what was there before. */
const MARKS: Readonly<Record<string, readonly [mark: string, before: string]>> = {
  'XLIFF 1.2': [' state="needs-review-translation"', ''],
  'XLIFF 2': [' state="translated" subState="dragoman:needs-review"', ''],
  'Qt TS': [' type="unfinished"', ''],
  'String Catalog': ['needs_review', 'translated'],
};

describe('imported texts', () => {
  it.each([...files])(
    'change the bytes of their values only, and marks for a review: %s',
    async (format, { target, text, files: made }) => {
      const before = text(TRANSLATED);
      const { path: cwd } = new ProjectDirectory({ ...made, [target]: before });
      const exported = ['export', '-s', 'en', '-t', 'es', '--format', 'xliff2', '-o', 'out/texts.xlf'];
      mkdirSync(join(cwd, 'out'));
      expect(await dragoman(exported, { cwd })).toMatchObject({ exitCode: 0 });
      const file = join(cwd, 'out/texts.xlf');
      const returned = readFileSync(file, 'utf8')
        .replace('>Dos<', '>Dos veces<')
        .replace('>Tres<', '>Tercero<');
      writeFileSync(file, returned);
      expect(await dragoman(['import', 'out/texts.xlf', '--as', 'ana'], { cwd })).toMatchObject({
        exitCode: 0,
      });
      const [mark, bare] = MARKS[format] ?? [];
      const parts = readFileSync(join(cwd, target), 'utf8').split(mark ?? '\0');
      expect(parts).toHaveLength(mark === undefined ? 1 : 3);
      expect(parts.join(bare)).toBe(before.replace('Dos', 'Dos veces').replace('Tres', 'Tercero'));
    },
  );
});

describe('saved texts', () => {
  it.each([...files])(
    'change the bytes of one value only: %s',
    async (_format, { target, text, files: made }) => {
      const before = text(TRANSLATED);
      const directory = new ProjectDirectory({ ...made, [target]: before });
      const rows = [...(await rowsOf(directory)).values()].filter(({ locale }) => locale === 'es');
      const rowOf = (source: string) => rows.find(({ forms }) => forms[0]?.source === source);
      expect(rowOf('Two')?.forms).toMatchObject([{ translation: 'Dos' }]);
      const results = await save(directory, [answerTo(rowOf('Two'), { values: ['Dos veces'] })]);
      expect(results).toMatchObject([{ kind: 'saved', row: { forms: [{ translation: 'Dos veces' }] } }]);
      expect(directory.read(target)).toBe(before.replace('Dos', 'Dos veces'));
    },
  );
});
