import type { Dialect, FileModel, Item, Style } from '../target-model.ts';

const plain = (...names: string[]): string[][] => names.map((name) => [name]);

interface XmlSpelling {
  readonly root: readonly [open: string, close: string];
  readonly element: (
    item: Item,
    pad: string,
    style: Style,
    inner: (list: readonly Item[]) => readonly string[],
  ) => string[];
}

function writeXml(file: FileModel, style: Style, { root, element }: XmlSpelling): string {
  const lines = (list: readonly Item[], depth: number): string[] =>
    list.flatMap((item, i) => {
      const pad = style.indent.repeat(depth);
      return [
        ...(item.gap && i > 0 ? [''] : []),
        ...item.notes.map((note) => `${pad}<!-- ${note} -->`),
        ...element(item, pad, style, (children) => lines(children, depth + 1)),
      ];
    });
  const all = [
    '<?xml version="1.0" encoding="utf-8"?>',
    ...file.head.map((note) => `<!-- ${note} -->`),
    root[0],
    ...lines(file.items, 1),
    ...file.foot.flatMap((note) => ['', `${style.indent}<!-- ${note} -->`]),
    root[1],
  ];
  return all.join(style.newline) + (style.finalNewline ? style.newline : '');
}

const spelled = ({ name }: Item, { spelling }: Style): string => name[spelling % name.length] ?? '';

export function androidFor(target: string, plurals: readonly string[]): Dialect {
  const element: XmlSpelling['element'] = (item, pad, style) => {
    const { body } = item;
    const name = spelled(item, style);
    const deeper = pad + style.indent;
    if ('text' in body) return [`${pad}<string ${name}>${body.text}</string>`];
    if ('list' in body) {
      const items = body.list.map((raw) => `${deeper}<item>${raw}</item>`);
      return [`${pad}<string-array ${name}>`, ...items, `${pad}</string-array>`];
    }
    if (!('forms' in body)) throw new Error('Android has no nested resources');
    const items = Object.entries(body.forms).map(
      ([q, raw]) => `${deeper}<item quantity="${q}">${raw}</item>`,
    );
    return [`${pad}<plurals ${name}>`, ...items, `${pad}</plurals>`];
  };
  return {
    name: `Android, ${target}`,
    path: 'strings.xml',
    target,
    comments: true,
    tabs: true,
    lists: true,
    plurals,
    names: ['a', 'b', 'c_d', 'e.f', 'g', 'h', 'x', 'y', 'z', 'last'].map((n) => [
      `name="${n}"`,
      `name='${n}'`,
    ]),
    texts: [
      'Hello 0000',
      'It\\\'s \\"0000\\"',
      'Ünï “0000” 😀 \\n',
      '"  quoted 0000  "',
      '<b>bold</b> 0000',
      'a &amp; 0000 &lt; b',
      '%1$s of 0000',
    ],
    write: (file, style) => writeXml(file, style, { root: ['<resources>', '</resources>'], element }),
  };
}

/** Entries are formats with a text, or variables with forms. */
export function stringsdictFor(target: string, plurals: readonly string[]): Dialect {
  const element: XmlSpelling['element'] = (item, pad, style) => {
    const [deeper, deepest] = [pad + style.indent, pad + style.indent.repeat(2)];
    const string = (at: string, key: string, raw: string): string[] => [
      `${at}<key>${key}</key>`,
      `${at}<string>${raw}</string>`,
    ];
    const { body } = item;
    const inside =
      'text' in body
        ? string(deeper, 'NSStringLocalizedFormatKey', body.text)
        : [
            ...string(deeper, 'NSStringLocalizedFormatKey', '%#@n@'),
            `${deeper}<key>n</key>`,
            `${deeper}<dict>`,
            ...string(deepest, 'NSStringFormatSpecTypeKey', 'NSStringPluralRuleType'),
            ...Object.entries('forms' in body ? body.forms : {}).flatMap(([category, raw]) =>
              string(deepest, category, raw),
            ),
            `${deeper}</dict>`,
          ];
    return [`${pad}<key>${item.name[0] ?? ''}</key>`, `${pad}<dict>`, ...inside, `${pad}</dict>`];
  };
  return {
    name: `stringsdict, ${target}`,
    path: 'Localizable.stringsdict',
    target,
    comments: true,
    tabs: true,
    plurals,
    names: plain('a', 'b c', 'd.e', '%d files', 'f &amp; g', 'h', 'x', 'y', 'z'),
    texts: ['Hello 0000', 'a &amp; 0000 &lt; b', '%1$@ of 0000', 'Ünï “0000” 😀', '<![CDATA[<b> & 0000]]>'],
    write: (file, style) =>
      writeXml(file, style, {
        root: ['<plist version="1.0"><dict>', '</dict></plist>'],
        element,
      }),
  };
}

const XML_TEXTS = [
  'Hello 0000',
  'a &amp; 0000 &lt; b',
  'Ünï “0000” 😀 "q"',
  "It's &#x41; 0000",
  '<![CDATA[<b> & 0000]]>',
];

export const XML_DIALECTS: readonly Dialect[] = [
  {
    name: 'resx',
    path: 'x.resx',
    target: 'fr',
    comments: true,
    names: ['a', 'b.Text', '&gt;c', 'd', 'e', 'x', 'y', 'z', 'last'].map((n) => [`name="${n}"`]),
    texts: XML_TEXTS,
    write: (file, style) =>
      writeXml(file, style, {
        root: ['<root>', '</root>'],
        element: (item, pad) => [
          `${pad}<data ${item.name[0] ?? ''} xml:space="preserve">`,
          `${pad}${style.indent}<value>${'text' in item.body ? item.body.text : ''}</value>`,
          `${pad}</data>`,
        ],
      }),
  },
  {
    name: 'Java XML',
    path: 'x.xml',
    target: 'fr',
    comments: true,
    names: ['a', 'b.c', 'with space', 'd', 'e', 'x', 'y', 'z', 'last'].map((n) => [`key="${n}"`]),
    texts: XML_TEXTS,
    write: (file, style) =>
      writeXml(file, style, {
        root: ['<properties>', '</properties>'],
        element: (item, pad) => [
          `${pad}<entry ${item.name[0] ?? ''}>${'text' in item.body ? item.body.text : ''}</entry>`,
        ],
      }),
  },
  {
    name: 'generic XML',
    path: 'x.xml',
    target: 'fr',
    comments: true,
    branches: true,
    names: plain('a', 'b', 'section id="s1"', 'section id="s2"', 'c', 'd', 'e', 'x', 'y', 'z'),
    texts: [...XML_TEXTS.slice(0, 4), 'rich <i>0000</i> text'],
    write: (file, style) =>
      writeXml(file, style, {
        root: ['<doc>', '</doc>'],
        element: (item, pad, _, inner) => {
          const tag = item.name[0] ?? '';
          const close = `</${tag.split(' ')[0] ?? ''}>`;
          if ('text' in item.body) return [`${pad}<${tag}>${item.body.text}${close}`];
          const children = 'children' in item.body ? item.body.children : [];
          if (children.length === 0)
            return [style.spelling % 2 ? `${pad}<${tag}/>` : `${pad}<${tag}>${close}`];
          return [`${pad}<${tag}>`, ...inner(children), pad + close];
        },
      }),
  },
];
