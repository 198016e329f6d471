import { extname } from 'node:path';

const WORDS = ['One', 'Two', 'Three'] as const;
export const TRANSLATED = ['Uno', 'Dos', 'Tres'] as const;

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
  /** Other extensions of such files. */
  readonly also?: readonly string[];
}

const xliff = (version: string, open: string, close: string): Pick<Sample, 'head' | 'tail'> => ({
  head: `<xliff version="${version}"${open}`,
  tail: `${close}</file></xliff>\n`,
});

const resources: Pick<Sample, 'head' | 'entry' | 'tail'> = {
  head: '<?xml version="1.0"?>\r\n<root>\r\n<!-- a --><resheader name="version"><value>2.0</value></resheader>\r\n',
  entry: (i, text) =>
    `  <data name='k${i}'  xml:space="preserve"><value >${text}</value><comment>b</comment></data>\r\n`,
  tail: '</root>',
};

const SAMPLES: readonly Sample[] = [
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
    also: ['yaml'],
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
    also: ['markdown'],
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
    source: 'messages/es/app.php',
    target: 'messages/es/app.php',
    head: '<?php\nreturn [ // a\n',
    entry: (_i, text, source) => `  '${source}'  => '${text}' ,\n`,
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
    also: ['xliff'],
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
  {
    format: 'JSON with comments',
    source: 'locales/en.jsonc',
    target: 'locales/es.jsonc',
    head: '{ // a\n',
    entry: (i, text) => `"k${i}" :  "${text}",\n`,
    tail: '}',
  },
  {
    format: 'ARB',
    source: 'lib/l10n/app_en.arb',
    target: 'lib/l10n/app_es.arb',
    head: '{\n',
    entry: (i, text) => `"k${i}" :  "${text}", "@k${i}": {},\n`,
    tail: '"k": "" }',
  },
  {
    format: 'JavaScript',
    source: 'src/locales/en.js',
    target: 'src/locales/es.js',
    also: ['mjs'],
    head: 'export default { // a\n',
    entry: (i, text) => `  k${i} :  "${text}",\n`,
    tail: '}\n',
  },
  {
    format: 'CommonJS',
    source: 'src/locales/en.cjs',
    target: 'src/locales/es.cjs',
    head: 'module.exports = { // a\n',
    entry: (i, text) => `  k${i} :  "${text}",\n`,
    tail: '}\n',
  },
  {
    format: 'XML',
    source: 'locales/en.xml',
    target: 'locales/es.xml',
    head: "<?xml version='1.0'?>\n<texts ><!-- a -->\n",
    entry: (i, text) => `\t<text  id='k${i}' >${text}</text >\n`,
    tail: '</texts>\n<!-- b -->',
  },
  {
    format: 'Java XML',
    source: 'messages_en.xml',
    target: 'messages_es.xml',
    head: '<?xml version="1.0"?>\n<!DOCTYPE properties SYSTEM "http://java.sun.com/dtd/properties.dtd">\n<properties><comment>a</comment>\n',
    entry: (i, text) => `<entry  key='k${i}' >${text}</entry>\n`,
    tail: '</properties>',
  },
  {
    format: 'RESX',
    source: 'App.resx',
    target: 'App.es.resx',
    ...resources,
  },
  {
    format: 'RESW',
    source: 'Strings/en/App.resw',
    target: 'Strings/es/App.resw',
    ...resources,
  },
  {
    format: 'stringsdict',
    source: 'en.lproj/App.stringsdict',
    target: 'es.lproj/App.stringsdict',
    head: '<?xml version="1.0"?>\n<plist version="1.0" ><dict>\n',
    entry: (i, text) => `  <key>k${i}</key><!-- a -->
  <dict><key>NSStringLocalizedFormatKey</key> <string>%#@n@</string>
    <key>n</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
      <key>NSStringFormatValueTypeKey</key><string>d</string>
      <key>one</key>  <string>${text}</string ><key>other</key><string>${text}</string></dict></dict>\n`,
    tail: '</dict></plist>',
  },
  {
    format: 'SubStation Alpha',
    source: 'film.en.ass',
    target: 'film.es.ass',
    also: ['ssa'],
    head: '[Script Info]\r\n; a\r\nScriptType: v4.00+\r\n\r\n[Events]\r\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r\n',
    entry: (i, text) => `Dialogue:  0,0:00:0${i + 1}.00,0:00:0${i + 1}.90,Default,,0,0,0,,{\\an8}${text}\r\n`,
    tail: 'Comment: 0,0:00:09.00,0:00:09.90,Default,,0,0,0,,b\r\n',
  },
  {
    format: 'TTML',
    source: 'film.en.ttml',
    target: 'film.es.ttml',
    also: ['dfxp'],
    head: '<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml"><body><div >\n',
    entry: (i, text) => `<p  begin="00:00:0${i + 1}.000" end='00:00:0${i + 1}.900' >${text}</p><!-- a -->\n`,
    tail: '</div></body></tt>',
  },
  {
    format: 'SubViewer',
    source: 'film.en.sbv',
    target: 'film.es.sbv',
    head: '',
    entry: (i, text) => `0:00:0${i + 1}.000,0:00:0${i + 1}.900\r\n${text}\r\n\r\n`,
    tail: '',
  },
  {
    format: 'LRC',
    source: 'film.en.lrc',
    target: 'film.es.lrc',
    head: '[ar: A]\n[offset:+0]\n\n',
    entry: (i, text) => `[00:0${i + 1}.00]  ${text}\n`,
    tail: '',
  },
  {
    format: 'MicroDVD',
    source: 'film.en.sub',
    target: 'film.es.sub',
    head: '{1}{1}25\n',
    entry: (i, text) => `{${i * 50 + 25}}{${i * 50 + 50}}{y:i}${text}\n`,
    tail: '',
  },
];

const catalog = (texts: readonly string[]): string =>
  `{\n  "sourceLanguage" : "en",\n  "strings" : {\n${WORDS.map((word, i) => `    "${word}" : { "localizations" : { "es" : { "stringUnit" : { "state" : "translated",  "value" : "${texts[i]}" } }, "fr" : { "stringUnit" : { "state" : "translated", "value" : "F" } } } }`).join(',\n')}\n  },\n  "version" : "1.0"\n}`;
const table =
  (separator: string) =>
  (texts: readonly string[]): string =>
    [['key', 'en', 'es', 'fr'], ...WORDS.map((word, i) => [`k${i}`, word, `"${texts[i]}"`, 'F'])]
      .map((cells) => `${cells.join(separator)}\r\n`)
      .join('');

interface SampleFiles {
  readonly format: string;
  readonly target: string;
  /** The content of the target with these translations. */
  readonly text: (texts: readonly string[]) => string;
  /** The other files. */
  readonly files: Readonly<Record<string, string>>;
}

/** The files of each sample, by its name and the extension. */
export const FILES: ReadonlyMap<string, SampleFiles> = new Map(
  [
    ...SAMPLES.flatMap(({ format, source, target, head, entry, tail, extra, also = [] }) => {
      const text = (texts: readonly string[]): string =>
        head + texts.map((one, i) => entry(i, one, WORDS[i] ?? '')).join('') + tail;
      return [extname(target).slice(1), ...also].map((extension) => {
        const named = (path: string) => path.slice(0, path.lastIndexOf('.') + 1) + extension;
        return { format, target: named(target), text, files: { ...extra, [named(source)]: text(WORDS) } };
      });
    }),
    { format: 'String Catalog', target: 'App.xcstrings', text: catalog, files: {} },
    { format: 'CSV', target: 'texts.csv', text: table(','), files: {} },
    { format: 'CSV', target: 'texts.tsv', text: table('\t'), files: {} },
  ].map((files) => [`${files.format}, ${extname(files.target)}`, files]),
);
