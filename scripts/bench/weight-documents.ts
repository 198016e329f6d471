import type { FormatId } from '../../src/formats/registry.ts';
import { Sentences } from './words.ts';

/** What is weighed: every format, and the two shapes of XML that people have most of. */
export type Weighed = Exclude<FormatId, 'xml'> | 'android' | 'resx' | 'srt' | 'vtt' | 'html';

interface Shape {
  readonly extension: string;
  readonly head: string;
  readonly entry: (i: number, text: string) => string;
  readonly tail: string;
}

const clock = (second: number, sign: string): string =>
  `${String(Math.floor(second / 3600)).padStart(2, '0')}:${new Date(second * 1000).toISOString().slice(14, 19)}${sign}000`;
const cue = (i: number, text: string, sign: string): string =>
  `${i + 1}\n${clock(i * 3, sign)} --> ${clock(i * 3 + 2, sign)}\n${text.replace(/^(.{20}\S*) /, '$1\n')}\n\n`;

const SHAPES: Readonly<Record<Weighed, Shape>> = {
  json: {
    extension: 'json',
    head: '{\n',
    entry: (i, text) => `  "section.${i >> 4}.key${i}": "${text} – {name}",\n`,
    tail: '  "end": "End"\n}\n',
  },
  yaml: {
    extension: 'yml',
    head: 'en:\n',
    entry: (i, text) =>
      `${i % 16 === 0 ? `  section${i >> 4}:\n    # note ${i}\n` : ''}    key${i}: "${text} – %{name}"\n`,
    tail: '',
  },
  po: {
    extension: 'po',
    head: 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n\n',
    entry: (i, text) => `#: src/file${i >> 4}.c:${i}\nmsgid "${text} – %s"\nmsgstr ""\n\n`,
    tail: '',
  },
  properties: {
    extension: 'properties',
    head: '# Messages\n',
    entry: (i, text) => `section.${i >> 4}.key${i} = ${text} - {0}\n`,
    tail: '',
  },
  strings: {
    extension: 'strings',
    head: '',
    entry: (i, text) => `/* Note ${i} */\n"section.key${i}" = "${text} – %@";\n\n`,
    tail: '',
  },
  xcstrings: {
    extension: 'xcstrings',
    head: '{\n  "sourceLanguage" : "en",\n  "strings" : {\n',
    entry: (i, text) => `    "${text} – %@" : {\n      "comment" : "Note ${i}"\n    },\n`,
    tail: '    "End" : {\n\n    }\n  },\n  "version" : "1.0"\n}',
  },
  csv: {
    extension: 'csv',
    head: 'key,en\n',
    entry: (i, text) => `section.${i >> 4}.key${i},"${text}, {name}"\n`,
    tail: '',
  },
  php: {
    extension: 'php',
    head: '<?php\n\nreturn [\n',
    entry: (i, text) => `    'section.key${i}' => '${text} – :name',\n`,
    tail: '];\n',
  },
  toml: {
    extension: 'toml',
    head: '',
    entry: (i, text) => `[key${i}]\ndescription = "Note ${i}"\nother = "${text} – {{.Name}}"\n\n`,
    tail: '',
  },
  ini: {
    extension: 'ini',
    head: '[messages]\n',
    entry: (i, text) => `section.key${i} = "${text} – {name}"\n`,
    tail: '',
  },
  json5: {
    extension: 'json5',
    head: '{\n',
    entry: (i, text) => `  'section.key${i}': '${text} – {name}',\n`,
    tail: '}\n',
  },
  module: {
    extension: 'ts',
    head: 'export default {\n',
    entry: (i, text) => `  'section.key${i}': '${text} – {name}',\n`,
    tail: '} as const;\n',
  },
  fluent: {
    extension: 'ftl',
    head: '',
    entry: (i, text) => `# Note ${i}\nsection-key${i} = ${text} – { $name }\n`,
    tail: '',
  },
  android: {
    extension: 'xml',
    head: '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n',
    entry: (i, text) => `    <string name="key_${i}">${text} – <b>%1$s</b></string>\n`,
    tail: '</resources>\n',
  },
  resx: {
    extension: 'resx',
    head: '<?xml version="1.0" encoding="utf-8"?>\n<root>\n  <resheader name="version"><value>2.0</value></resheader>\n',
    entry: (i, text) =>
      `  <data name="Key${i}" xml:space="preserve">\n    <value>${text} – {0}</value>\n  </data>\n`,
    tail: '</root>\n',
  },
  xliff: {
    extension: 'xlf',
    head: '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n  <file source-language="en" datatype="plaintext" original="app">\n    <body>\n',
    entry: (i, text) =>
      `      <trans-unit id="key${i}">\n        <source>${text} – <x id="INTERPOLATION" equiv-text="{{ name }}"/></source>\n        <note priority="1">note ${i}</note>\n      </trans-unit>\n`,
    tail: '    </body>\n  </file>\n</xliff>\n',
  },
  qt: {
    extension: 'ts',
    head: '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="es">\n<context>\n    <name>Main</name>\n',
    entry: (i, text) =>
      `    <message>\n        <location filename="main.cpp" line="${i}"/>\n        <source>${text} – %1</source>\n        <translation type="unfinished"></translation>\n    </message>\n`,
    tail: '</context>\n</TS>\n',
  },
  srt: { extension: 'srt', head: '', entry: (i, text) => cue(i, text, ','), tail: '' },
  vtt: { extension: 'vtt', head: 'WEBVTT\n\n', entry: (i, text) => cue(i, text, '.'), tail: '' },
  html: {
    extension: 'html',
    head: '<!doctype html>\n<html lang="en"><head><title>Page</title></head>\n<body>\n',
    entry: (i, text) => `<p id="p${i}">${text} – <a href="/page${i}">more</a></p>\n`,
    tail: '</body></html>\n',
  },
};

/** So long are the texts, with what each shape puts around them: interfaces have short ones. */
const LENGTH = 36;

export const WEIGHED = Object.keys(SHAPES) as readonly Weighed[];

export function extensionOf(weighed: Weighed): string {
  return SHAPES[weighed].extension;
}

/** A document of so many keys, with texts as interfaces have them. */
export function makeWeighed(weighed: Weighed, keys: number): string {
  const { head, entry, tail } = SHAPES[weighed];
  const sentences = new Sentences();
  const parts = [head];
  for (let i = 0; i < keys; i++) {
    parts.push(entry(i, `${sentences.next().slice(0, LENGTH)} ${i}`));
  }
  return [...parts, tail].join('');
}
