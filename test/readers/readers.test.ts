import { describe, expect, it } from 'vitest';
import { compareOne, compareTwo } from '../../scripts/corpus/comparison.ts';
import type { FormatId } from '../../src/formats/registry.ts';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import type { Entry, Reader } from './reader.ts';
import { READERS } from './readers.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

function read(reader: Reader, text: string): readonly Entry[] {
  const [reading] = reader.read([{ bytes: bytes(text) }]);
  if (!reading || 'refused' in reading) throw new Error(reading?.refused ?? 'no reading');
  return reading.entries;
}

const texts = (entries: readonly Entry[]): unknown =>
  entries.filter(({ kind }) => kind === 'text').map(({ key, value }) => [...key, value]);

/** A file with a quirk or two of its format, what a reader has to make of it, and a file that it has to refuse. */
const SAMPLES: Readonly<Record<FormatId, readonly [good: string, read: unknown, bad: string]>> = {
  json: ['{ // note\n "a": { "b,}": "\\u00e9,}" }, "n": 1, }', [['a', 'b,}', 'é,}']], '{ "a": "b }'],
  yaml: [
    'en:\n  a: &x "😀 é"\n  b: *x\n  n: 12\n  t: |\n    line\n',
    [
      ['0', 'en', 'a', '😀 é'],
      ['0', 'en', 't', 'line\n'],
    ],
    'a: [b',
  ],
  po: [
    'msgid "a"\nmsgstr "\\v\\"é"\n\nmsgctxt "c"\nmsgid "x"\nmsgid_plural "xs"\nmsgstr[0] "1"\nmsgstr[1] "2"\n',
    [
      ['', 'a', '\v"é'],
      ['c', 'x', '1'],
      ['c', 'x', '2'],
    ],
    'msgid "a" nonsense "b"\n',
  ],
  properties: [
    '! note\nk\\ 1 = a\\\n   b\\u00e9\nk\\ 1: again\n',
    [
      ['k 1', 'abé'],
      ['k 1', 'again'],
    ],
    'a = \\u12\n',
  ],
  strings: [
    '"" = "";\n/* n */ "a" = "\\U00e9\\"\\n"; b = c;',
    [
      ['', ''],
      ['a', 'é"\n'],
      ['b', 'c'],
    ],
    '"a" = "b"',
  ],
  xcstrings: [
    '{"sourceLanguage": "en", "strings": {"k": {}, "g": {"extractionState": "stale"}, "p": {"localizations": {"en": ' +
      '{"variations": {"plural": {"other": {"stringUnit": {"state": "new", "value": "é"}}}}}, "de": {}}}}}',
    [
      ['p', 'other', 'é'],
      ['k', 'k'],
    ],
    '{"strings": {"k": {}',
  ],
  xml: [
    '<!DOCTYPE resources [<!ENTITY app "App">]>\n<resources><string name="a"> &app; \\\'n\\n <b x="1">&lt;</b></string>' +
      '<plurals name="p"><item quantity="other"><![CDATA[<i>]]></item></plurals></resources>',
    [
      ['a', 'App \'n\n <b x="1">&lt;</b>'],
      ['p', 'other', '&lt;i&gt;'],
    ],
    '<a><b></a>',
  ],
  csv: ['key;en;de\r\na;"x ""1"";";y\r\nb;;z\r\n', [['a', 'x "1";']], 'key,en\na,"b\n'],
  xliff: [
    '<xliff version="1.2"><file original="f"><body><trans-unit id="a"><source>A</source><target>x &amp; <g id="1"><![CDATA[<y>]]></g></target>' +
      '<alt-trans><target>no</target></alt-trans></trans-unit><group translate="no"><trans-unit id="b"><source>B</source></trans-unit></group>' +
      '<trans-unit id="c"><source>C</source></trans-unit></body></file></xliff>',
    [
      ['f', 'a', 'x &amp; <g id="1">&lt;y&gt;</g>'],
      ['f', 'c', ''],
    ],
    '<xliff version="1.2"><file></xliff>',
  ],
  qt: [
    '<!DOCTYPE TS><TS version="2.1" language="de"><context><name>C</name><message><source>A &amp;amp; &lt;b&gt;</source><translation>x &apos;</translation></message>' +
      '<message><source>B</source><comment>c</comment><translation type="vanished">y</translation></message>' +
      '<message numerus="yes"><source>%n</source><comment>c</comment><translation type="unfinished"><numerusform>1</numerusform><numerusform></numerusform></translation></message></context></TS>',
    [
      ['C', 'A &amp; <b>', '', "x '"],
      ['C', '%n', 'c', '1'],
      ['C', '%n', 'c', ''],
    ],
    '<TS><context></TS>',
  ],
  php: [
    "<?php // 'no'\nreturn ['a' => 'b\\'', \"c\" => array(\"\\u{e9}$\", 'e' . 'f'), 'g' => <<<X\n  h\n  X];",
    [
      ['a', "b'"],
      ['c', '0', 'é$'],
      ['g', 'h'],
    ],
    "<?php return ['a' => 'b;",
  ],
  toml: [
    'a.b = "\\u00e9" # no\n[c]\nd = """\\\n  e"""\nf = [1, \'g\']\n',
    [
      ['a', 'b', 'é'],
      ['c', 'd', 'e'],
      ['c', 'f', '1', 'g'],
    ],
    'a = "b',
  ],
  fluent: [
    'a = b\n  c\n    .d = { $n ->\n   *[other] e\n  }\njunk\n',
    [
      ['a', 'b\nc'],
      ['a', '.d', 'e'],
    ],
    'a = { $b\n',
  ],
  ini: [
    '; note\nA=b\n[s]\nc = "d \\"e\\"" ; no\n',
    [
      ['A', 'b'],
      ['s', 'c', 'd "e"'],
    ],
    '[s\n',
  ],
  json5: [
    "// note\n{ a: 'b\\x41\\\n', \"c\": [+0x1F, .5, 'd\\'',], }",
    [
      ['a', 'bA'],
      ['c', '2', "d'"],
    ],
    '{ a: b }',
  ],
  module: [
    "import x from './y';\nconst a = { b: 'c', d: [`e\\n`, f('g')], ...x } as const;\nexport default a;\n",
    [
      ['b', 'c'],
      ['d', '0', 'e\n'],
    ],
    'export default { a: }',
  ],
};

describe.each(Object.entries(READERS))('the independent reader of %s', (format, reader) => {
  const [good, expected, bad] = SAMPLES[format as FormatId];
  const missing = reader.missing();

  it.skipIf(missing !== undefined)(
    `${reader.name} reads values${missing ? `: SKIPPED, needs ${missing}` : ''}`,
    () => {
      expect(texts(read(reader, good))).toEqual(expected);
    },
  );

  it.skipIf(missing !== undefined)(
    `${reader.name} refuses what is broken${missing ? ': SKIPPED' : ''}`,
    () => {
      expect(reader.read([{ bytes: bytes(bad) }])[0]).toHaveProperty('refused');
    },
  );
});

describe('comparing with a reader', () => {
  const source = '{ "a": "one", "n": 1, "b": "two" }';
  const both = async (text: string, seen = text) => ({
    document: (await openBytes(bytes(text), 'x.json')).document,
    reading: { entries: read(READERS.json, seen) },
  });

  it('agrees with what is right', async () => {
    const before = await both(source);
    const after = await both(source.replace('two', 'zwei'));
    expect(compareOne('json', after, true)).toEqual([]);
    expect(compareTwo('json', before, after, true)).toEqual([]);
  });

  it('finds a value that is not the intended one', async () => {
    expect(compareOne('json', await both(source, source.replace('two', 'zwo')), true)).toHaveLength(1);
  });

  it('finds a slot that the reader does not see', async () => {
    expect(compareOne('json', await both(source, '{ "a": "one", "n": 1 }'), true)).toHaveLength(1);
  });

  it('finds changes of what is no slot', async () => {
    const before = await both(source);
    expect(compareTwo('json', before, await both(source.replace('1', '2')), true)).toHaveLength(1);
    expect(compareTwo('json', before, await both(source.replace('"n"', '"m"')), true)).not.toEqual([]);
    expect(compareTwo('json', before, await both('{ "a": "one", "b": "two" }'), true)).toHaveLength(1);
  });
});
