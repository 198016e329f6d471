import type { FormatId } from '../../src/formats/registry.ts';
import { Sentences } from './words.ts';

/** How an entry, and what comes before and after all of them, looks in each format. */
const SHAPES: Readonly<
  Record<FormatId, { head: string; entry: (i: number, text: string) => string; tail: string }>
> = {
  json: {
    head: '{\n',
    entry: (i, text) => `  "section.${i >> 4}.key${i}": "${text} \\u2013 {name}",\n`,
    tail: '  "end": "End"\n}\n',
  },
  yaml: {
    head: 'en:\n',
    entry: (i, text) =>
      `${i % 16 === 0 ? `  section${i >> 4}:\n` : ''}    # note ${i}\n    key${i}: "${text} %{name}"\n`,
    tail: '',
  },
  po: {
    head: 'msgid ""\nmsgstr ""\n"Language: en\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n\n',
    entry: (i, text) =>
      `#: src/file${i >> 4}.c:${i}\n#, c-format\nmsgid "${text} %s"\nmsgstr "${text} – %s"\n\n`,
    tail: '',
  },
  properties: {
    head: '# Messages\n',
    entry: (i, text) => `section.${i >> 4}.key${i} = ${text} \\u2013 {0}\n`,
    tail: '',
  },
  strings: {
    head: '',
    entry: (i, text) => `/* Note ${i} */\n"section.key${i}" = "${text} – %@";\n\n`,
    tail: '',
  },
  xcstrings: {
    head: '{\n  "sourceLanguage" : "en",\n  "strings" : {\n',
    entry: (i, text) =>
      `    "section.key${i}" : {\n      "comment" : "Note ${i}",\n      "localizations" : {\n        "en" : {\n          "stringUnit" : {\n            "state" : "translated",\n            "value" : "${text} – %@"\n          }\n        }\n      }\n    },\n`,
    tail: '    "End" : {\n\n    }\n  },\n  "version" : "1.0"\n}',
  },
  xml: {
    head: '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n',
    entry: (i, text) =>
      `    <!-- Note ${i} -->\n    <string name="key_${i}">${text} – <b>%1$s</b></string>\n`,
    tail: '</resources>\n',
  },
  csv: {
    head: 'key,comment,en,de\n',
    entry: (i, text) => `section.key${i},Note ${i},"${text}, {name}",\n`,
    tail: '',
  },
  xliff: {
    head: '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n  <file source-language="en" datatype="plaintext" original="app">\n    <body>\n',
    entry: (i, text) =>
      `      <trans-unit id="key${i}">\n        <source>${text} – <x id="INTERPOLATION" equiv-text="{{ name }}"/></source>\n        <note priority="1">note ${i}</note>\n      </trans-unit>\n`,
    tail: '    </body>\n  </file>\n</xliff>\n',
  },
  qt: {
    head: '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="es">\n<context>\n    <name>Main</name>\n',
    entry: (i, text) =>
      `    <message>\n        <location filename="main.cpp" line="${i}"/>\n        <source>${text} – %1</source>\n        <translation type="unfinished"></translation>\n    </message>\n`,
    tail: '</context>\n</TS>\n',
  },
  php: {
    head: '<?php\n\nreturn [\n',
    entry: (i, text) => `    'section.key${i}' => '${text} – :name',\n`,
    tail: '];\n',
  },
  toml: {
    head: '',
    entry: (i, text) => `[key${i}]\ndescription = "Note ${i}"\nother = "${text} – {{.Name}}"\n\n`,
    tail: '',
  },
  ini: {
    head: '[messages]\n',
    entry: (i, text) => `section.key${i} = "${text} – {name}"\n`,
    tail: '',
  },
  json5: {
    head: '{\n',
    entry: (i, text) => `  'section.key${i}': '${text} – {name}',\n`,
    tail: '}\n',
  },
  module: {
    head: 'export default {\n',
    entry: (i, text) => `  'section.key${i}': '${text} – {name}',\n`,
    tail: '} as const;\n',
  },
  fluent: {
    head: '',
    entry: (i, text) => `# Note ${i}\nsection-key${i} = ${text} – { $name }\n`,
    tail: '',
  },
};

/** A document of at least so many bytes. */
export function makeDocument(format: FormatId, bytes: number): string {
  const { head, entry, tail } = SHAPES[format];
  const sentences = new Sentences();
  const parts = [head];
  let size = head.length;
  for (let i = 0; size < bytes; i++) {
    const text = entry(i, sentences.next());
    size += text.length;
    parts.push(text);
  }
  return [...parts, tail].join('');
}
