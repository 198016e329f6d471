import type { Dialect, FileModel, Style } from '../target-model.ts';

/** Properties and Apple's strings: pairs under comments. */
function writeFlat(
  file: FileModel,
  style: Style,
  comment: (note: string) => string,
  pair: (name: string, raw: string) => string,
): string {
  const all = [
    ...file.head.flatMap((note) => [comment(note), '']),
    ...file.items.flatMap(({ name, notes, gap, body }, i) => [
      ...(gap && i > 0 ? [''] : []),
      ...notes.map(comment),
      ...pair(name[style.spelling % name.length] ?? '', 'text' in body ? body.text : '').split('\n'),
    ]),
    ...file.foot.flatMap((note) => ['', comment(note)]),
  ];
  return all.join(style.newline) + (style.finalNewline ? style.newline : '');
}

export const FLAT_DIALECTS: readonly Dialect[] = [
  {
    name: 'properties',
    path: 'x.properties',
    target: 'fr',
    comments: true,
    names: [
      ['a', '\\u0061'],
      ['b.c'],
      ['with\\ space', 'with\\u0020space'],
      ['colon\\:', 'colon\\u003a'],
      ['x'],
      ['y'],
      ['z'],
      ['Ünï'],
      ['\\#hash'],
      ['11'],
    ],
    texts: [
      'Hello 0000',
      'Ünï “0000”',
      '\\u00e9 0000 = : # !',
      'back\\\\slash \\t 0000',
      '\\ leading 0000',
      'two \\\n    lines 0000',
      "It''s {0} of 0000",
    ],
    write: (file, style) =>
      writeFlat(
        file,
        style,
        (note) => `${style.spelling % 2 ? '#' : '!'} ${note}`,
        (name, raw) => name + (['=', ' = ', ': '][style.spelling % 3] ?? '=') + raw,
      ),
  },
  {
    name: 'Apple strings',
    path: 'x.strings',
    target: 'fr',
    comments: true,
    names: [
      ['"a"', 'a'],
      ['"b.c"', 'b.c'],
      ['"with space"'],
      ['"quo\\"te"'],
      ['"é"', '"\\U00e9"'],
      ['"x"', 'x'],
      ['"y"'],
      ['"z"'],
      ['"%@ of"'],
      ['"11"', '11'],
    ],
    texts: [
      '"Hello 0000"',
      '"Ünï “0000” 😀"',
      '"\\U00e9 0000 \\n"',
      '"say \\"0000\\" it\'s"',
      '"a; = /* 0000 */ // %1$@"',
      '"raw\nbreak 0000"',
    ],
    write: (file, style) =>
      writeFlat(
        file,
        style,
        (note) => (style.spelling % 2 ? `/* ${note} */` : `// ${note}`),
        (name, raw) => `${name}${style.spelling % 3 === 0 ? '=' : ' = '}${raw};`,
      ),
  },
];
