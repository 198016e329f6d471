import type { BuiltInFormatId } from '../../src/formats/registry.ts';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { count, type HostileText, nest, repeat } from './texts.ts';

/** The formats of localization files and subtitles, and the other documents that commands read. */
export type HostileFormat = BuiltInFormatId | SubtitleFormat | 'html' | 'email';

interface Frame {
  readonly head: string;
  readonly tail: string;
}

const DEEP = 450;
/** Values without ordinary text: each consists of placeholders, tags or escapes. */
const VALUES = [
  '{a}',
  '%s',
  '<b>a</b>',
  '<b/>',
  '{{a}} ',
  '{a, plural, other {#}}',
  '\\n',
  'a. ',
  '&amp;',
  'é',
];

function inFrame(
  frame: Frame,
  pieces: readonly string[],
  counted: readonly ((i: number) => string)[] = [],
): readonly HostileText[] {
  return [...pieces.map((piece) => repeat(piece, frame)), ...counted.map((piece) => count(piece, frame))];
}

/** Files with a single value, in which one piece is repeated. */
function oneValue(head: string, tail: string, values: readonly string[] = VALUES): readonly HostileText[] {
  return values.map((value) => repeat(value, { head, tail }));
}

/** Members of an object, elements of an array, in a JSON-like notation. */
function containers(
  { head, tail }: Frame,
  [open, to, close]: readonly [string, string, string],
  [listOpen, listClose]: readonly [string, string],
): readonly HostileText[] {
  const list = { head: `${head}${open}"a"${to}${listOpen}`, tail: `"b"${listClose}${close}${tail}` };
  const object = { head: head + open, tail: `"z"${to}""${close}${tail}` };
  return [
    ...inFrame(list, [
      '"",',
      '"a",',
      '1,',
      '1,"",',
      `${listOpen}${listClose},`,
      `${open}${close},`,
      `${listOpen.repeat(DEEP)}${listClose.repeat(DEEP)},`,
      `${open}"a"${to}"b"${close},`,
      '/**/"a",',
      '"{a}",',
      '"%s",',
    ]),
    ...inFrame(
      object,
      [`"a"${to}"",`, `"a"${to}1,`, `""${to}${open}${close},`],
      [
        (i) => `"${i}"${to}"a",`,
        (i) => `"${i}_one"${to}"a","${i}_other"${to}"b",`,
        (i) => `"${i}"${to}${open}"one"${to}"a","other"${to}"b"${close},`,
        (i) => `"${i}"${to}${open}"message"${to}"a"${close},`,
        (i) => `"${i}"${to}${open}"id"${to}"a","defaultMessage"${to}"b"${close},`,
        (i) => `"${i}"${to}"a","@${i}"${to}${open}${close},`,
        (i) => `"a.${i}"${to}"a",`,
      ],
    ),
    ...oneValue(`${head}${open}"a"${to}"`, `"${close}${tail}`),
  ];
}

const NONE: Frame = { head: '', tail: '' };
const android: Frame = { head: '<resources>', tail: '</resources>' };
const oneString: Frame = { head: '<resources><string name="a">', tail: '</string></resources>' };
const array: Frame = { head: '<resources><string-array name="a">', tail: '</string-array></resources>' };
const plurals: Frame = { head: '<resources><plurals name="a">', tail: '</plurals></resources>' };
const resx: Frame = { head: '<root>', tail: '</root>' };
const plist: Frame = { head: '<plist version="1.0"><dict>', tail: '</dict></plist>' };
const java: Frame = { head: '<properties>', tail: '</properties>' };

const XML: readonly HostileText[] = [
  ...inFrame(
    android,
    ['<string name="a"/>', '<a/>', '<!---->', '<?a?>', `${'<a>'.repeat(DEEP)}${'</a>'.repeat(DEEP)}`],
    [
      (i) => `<string name="${i}">a</string>`,
      (i) => `<string name="a"${' b="c"'.repeat(20)}>${i}</string>`,
      (i) => `<a${i}>b</a${i}>`,
      (i) => `<plurals name="${i}"><item quantity="one">a</item><item quantity="other">b</item></plurals>`,
    ],
  ),
  ...inFrame(array, ['<item/>', '<item>a</item>']),
  ...inFrame(plurals, ['<item quantity="other">a</item>']),
  ...inFrame(oneString, ['<b/>', 'a<b>c</b>', '<![CDATA[a]]>', '&#97;', '&lt;', "\\'", '\\u0041', '<!---->']),
  ...oneValue(oneString.head, oneString.tail, ['{a}', '%1$s ', '<b>a</b>', '\\n', 'a. ']),
  count((i) => `a${i}="b" `, { head: '<resources ', tail: '/>' }),
  count((i) => `<!ENTITY e${i} "a">`, {
    head: '<!DOCTYPE resources [',
    tail: ']><resources><string name="a">b</string></resources>',
  }),
  ...inFrame(resx, ['<data/>'], [(i) => `<data name="${i}"><value>a</value></data>`]),
  ...inFrame(plist, ['<key>a</key><string/>'], [(i) => `<key>${i}</key><string>a</string>`]),
  ...inFrame(java, ['<entry key="a"/>'], [(i) => `<entry key="${i}">a</entry>`]),
  ...inFrame({ head: '<a>', tail: '</a>' }, ['<b>c</b>', 'c<b/>'], [(i) => `<b id="${i}">c</b>`]),
];

const LINES = (separator: string, note: string): readonly HostileText[] => [
  ...inFrame(
    NONE,
    [`a${separator}\n`, `a${separator}b\n`, '\n', `${note}\n`, `${note}\na${separator}b\n`, `${separator}\n`],
    [
      (i) => `k${i}${separator}a\n`,
      (i) => `k${i}${separator}{0}\n`,
      (i) => `k${i}.one${separator}a\nk${i}.other${separator}b\n`,
    ],
  ),
  ...oneValue(`a${separator}`, '\n'),
];

const entries = (i: number): string => `msgid "${i}"\nmsgstr ""\n\n`;
const poHead: Frame = { head: 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n', tail: '' };
const xliffHead: Frame = {
  head: '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" original="a"><body>',
  tail: '</body></file></xliff>',
};
const xliffUnit: Frame = {
  head: `${xliffHead.head}<trans-unit id="a"><source>a`,
  tail: `</source></trans-unit>${xliffHead.tail}`,
};
const tsHead: Frame = {
  head: '<TS version="2.1" language="es"><context><name>a</name>',
  tail: '</context></TS>',
};
const catalog: Frame = { head: '{"sourceLanguage":"en","strings":{', tail: '"z":{}},"version":"1.0"}' };
const localized = (i: number): string =>
  `"${i}":{"localizations":{"en":{"stringUnit":{"state":"new","value":"a"}}}},`;
const page: Frame = { head: '<!doctype html><html><body>', tail: '</body></html>' };
const inPage = (frame: Frame): readonly HostileText[] => [
  ...inFrame(
    frame,
    [
      '<p>a',
      '<p>a</p>',
      '<b>',
      '<b>a</b>',
      '<br>',
      '<a href="b">',
      'a&amp;',
      '<!-- -->',
      '<p title="a">',
      '{a} ',
    ],
    [(i) => `<a${i}>`, (i) => `<p id="${i}">a</p>`],
  ),
  repeat(' a="b"', { head: `${frame.head}<p`, tail: `>a</p>${frame.tail}` }),
  repeat('a. ', { head: `${frame.head}<p>`, tail: `</p>${frame.tail}` }),
];
const PROSE: readonly HostileText[] = inFrame(
  NONE,
  [
    'a\n\n',
    '- a\n',
    '> a\n\n',
    '# a\n',
    '`a`\n\n',
    '[a](b)\n\n',
    '|a|b|\n',
    '***\n',
    '1. a\n\n',
    'a *b* c\n\n',
  ],
  [(i) => `[l${i}]: /a\n`],
);
const clock = (i: number): string => new Date(i * 1_000).toISOString().slice(11, 19);
const html = inPage(page);

/** For every format, the files that are slowest to read for their size. */
export const HOSTILE_FILES: Readonly<Record<HostileFormat, readonly HostileText[]>> = {
  json: [
    ...containers(NONE, ['{', ':', '}'], ['[', ']']),
    nest('[', ']', ''),
    repeat('"a",', { head: '[', tail: '"b"]' }),
    repeat('{"id":"a","translation":"b"},', { head: '[', tail: '{"id":"c","translation":"d"}]' }),
  ],
  json5: containers(NONE, ['{', ':', '}'], ['[', ']']),
  module: containers({ head: 'export default ', tail: ';\n' }, ['{', ':', '}'], ['[', ']']),
  php: containers({ head: '<?php return ', tail: ';\n' }, ['[', '=>', ']'], ['[', ']']),
  yii: containers({ head: '<?php return ', tail: ';\n' }, ['[', '=>', ']'], ['[', ']']),
  yaml: [
    ...inFrame(
      { head: 'a:\n', tail: '' },
      [' - b\n', ' - \n', ' - [b]\n', ' - {b: c}\n', ' # b\n', '\n', ' - "b"\n', ' - |\n  b\n', ' - &a b\n'],
      [
        (i) => ` k${i}: a\n`,
        (i) => ` k${i}: "a"\n`,
        (i) => ` k${i}: &a${i} a\n`,
        (i) => ` k${i}:\n  one: a\n  other: b\n`,
        (i) => ` ? k${i}\n : a\n`,
      ],
    ),
    ...inFrame({ head: 'a: [', tail: 'b]\n' }, [
      'b,',
      '"b",',
      '[],',
      `${'['.repeat(DEEP)}${']'.repeat(DEEP)},`,
    ]),
    count((i) => `${' '.repeat(i % DEEP)}k${i % DEEP}:\n`),
    ...oneValue('a: "', '"\n', ['{a}', '%{a} ', '<b>a</b>', '\\n', 'a. ', '\\u0041']),
    ...oneValue('a: |\n', '\n', [' a\n', ' %{a}\n']),
  ],
  po: [
    ...inFrame(
      poHead,
      [
        '""\n',
        '#\n',
        '#: a\n',
        '#, fuzzy\n',
        '\n',
        'msgid "a"\nmsgstr "b"\n\n',
        '#~ msgid "a"\n#~ msgstr "b"\n',
      ],
      [
        entries,
        (i) => `msgid "${i}"\nmsgid_plural "a"\nmsgstr[0] ""\nmsgstr[1] ""\n\n`,
        (i) => `#, fuzzy\n#| msgid "a"\nmsgid "${i}"\nmsgstr "b"\n`,
        (i) => `#: a.c:${i}\n`,
      ],
    ),
    ...oneValue(`${poHead.head}msgid "a"\nmsgstr "`, '"\n'),
    repeat('"a"\n', { head: `${poHead.head}msgid "a"\nmsgstr `, tail: '\n' }),
    repeat('# a\n', { head: poHead.head, tail: 'msgid "a"\nmsgstr ""\n' }),
  ],
  properties: [
    ...LINES('=', '#'),
    repeat('\\\n', { head: 'a=', tail: 'b\n' }),
    ...oneValue('a=', '\n', ['\\u0041']),
  ],
  strings: [
    ...inFrame(
      NONE,
      ['""="";', '"a"="b";\n', '/**/', '//\n', '/**/"a"="b";', 'a=b;'],
      [(i) => `"${i}"="a";`, (i) => `k${i}=a;`, (i) => `"${i}"="%@";`],
    ),
    ...oneValue('"a"="', '";\n'),
  ],
  xcstrings: [
    ...inFrame(catalog, ['"a":{},'], [(i) => `"${i}":{},`, localized, (i) => `"%@ ${i}":{"comment":"a"},`]),
    ...oneValue(
      '{"sourceLanguage":"en","strings":{"a":{"localizations":{"en":{"stringUnit":{"value":"',
      '"}}}}}}',
    ),
  ],
  xml: XML,
  xliff: [
    ...inFrame(
      xliffHead,
      ['<group/>', '<!---->', '<trans-unit id="a"><source/></trans-unit>'],
      [(i) => `<trans-unit id="${i}"><source>a</source></trans-unit>`],
    ),
    ...inFrame(
      xliffUnit,
      ['<x id="b"/>', '<g id="b">c</g>', '&lt;', 'a. ', '{a} '],
      [(i) => `<x id="${i}"/>`],
    ),
  ],
  qt: [
    ...inFrame(
      tsHead,
      ['<message/>', '<!---->'],
      [(i) => `<message><source>${i}</source><translation type="unfinished"/></message>`],
    ),
    ...inFrame(
      { head: `${tsHead.head}<message><source>a`, tail: `</source><translation/></message>${tsHead.tail}` },
      ['%1 ', '&lt;', '<byte value="x1"/>', 'a. '],
    ),
  ],
  csv: [
    ...inFrame({ head: 'key,en\n', tail: '' }, ['a,b\n', ',\n', '\n', '"a","b"\n'], [(i) => `${i},a\n`]),
    repeat(',', { head: 'key,en', tail: '\na,b\n' }),
    ...oneValue('key,en\na,"', '"\n'),
  ],
  fluent: [
    ...inFrame(
      NONE,
      ['#\n', '\n', 'a=b\n', 'a = {""}\n'],
      [
        (i) => `k${i}=a\n`,
        (i) => `k${i}=\n .a=b\n`,
        (i) => `k${i}={$a->\n *[a] b\n }\n`,
        (i) => `-k${i}=a\n`,
      ],
    ),
    ...oneValue('a = ', '\n', ['{$a}', '{"a"}', 'a\n ', '{a}', '{a()}', 'a. ']),
    repeat(' .a=b\n', { head: 'a=b\n', tail: '' }),
  ],
  toml: [
    ...inFrame(
      NONE,
      ['#\n', '\n', '[[a]]\n', '[[a]]\nb="c"\n'],
      [(i) => `k${i}=""\n`, (i) => `[k${i}]\n`, (i) => `[k${i}]\na="b"\n`, (i) => `k${i}={a="b"}\n`],
    ),
    ...inFrame({ head: 'a=[', tail: '1]\n' }, ['1,', '"",', '[],', '{},']),
    ...oneValue('a="', '"\n'),
  ],
  ini: [...LINES('=', ';'), count((i) => `[s${i}]\n`), count((i) => `[s${i}]\na=b\n`)],
  markdown: PROSE,
  mdx: [
    ...PROSE,
    repeat('<A/>\n\n'),
    repeat('{a}\n\n'),
    repeat('a {b} c\n\n'),
    repeat('export const a = 1\n\n'),
  ],
  html,
  email: inPage({
    head: 'Subject: a\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n',
    tail: '',
  }),
  srt: [
    count((i) => `${i}\n${clock(i)},000 --> ${clock(i)},900\na\n\n`),
    repeat('\n'),
    repeat('a\n'),
    repeat('1\n'),
  ],
  vtt: [
    count((i) => `${clock(i)}.000 --> ${clock(i)}.900\na\n\n`, { head: 'WEBVTT\n\n' }),
    repeat('<b>a</b>', { head: 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n' }),
    repeat('NOTE\n\n', { head: 'WEBVTT\n\n' }),
  ],
  ass: [
    count((i) => `Dialogue: 0,0:00:00.00,0:00:01.00,D,,0,0,0,,${i}\n`, {
      head: '[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n',
    }),
    repeat('{\\i1}a', {
      head: '[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.00,0:00:01.00,D,,0,0,0,,',
      tail: '\n',
    }),
  ],
  ttml: [
    count((i) => `<p begin="${i}s" end="${i + 1}s">a</p>`, {
      head: '<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div>',
      tail: '</div></body></tt>',
    }),
    repeat('<span>a</span>', {
      head: '<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div><p begin="0s" end="1s">',
      tail: '</p></div></body></tt>',
    }),
  ],
  sbv: [count((i) => `0:00:00.000,0:00:01.000\n${i}\n\n`), repeat('\n'), repeat('a\n')],
  lrc: [count((i) => `[00:00.00]${i}\n`), repeat('[00:00.00]', { tail: 'a\n' }), repeat('\n')],
  microdvd: [
    count((i) => `{${i}}{${i + 1}}a\n`),
    repeat('|a', { head: '{0}{1}' }),
    repeat('{y:i}', { head: '{0}{1}' }),
  ],
};
