import type { Body, Dialect, FileModel, Item, Style } from '../target-model.ts';

function writeYaml(file: FileModel, style: Style, rooted: boolean): string {
  const lines = (list: readonly Item[], depth: number): string[] =>
    list.flatMap(({ name, notes, gap, body }, i) => {
      const pad = style.indent.repeat(depth);
      const key = name[style.spelling % name.length] ?? '';
      const above = [...(gap && i > 0 ? [''] : []), ...notes.map((note) => `${pad}# ${note}`)];
      return [...above, ...yamlBody(body, `${pad}${key}:`, depth)];
    });
  const yamlBody = (body: Body, head: string, depth: number): string[] => {
    const deeper = style.indent.repeat(depth + 1);
    const scalar = (lead: string, raw: string): string[] =>
      raw.split('\n').map((line, i) => (i === 0 ? `${lead} ${line}` : deeper + line));
    if ('text' in body) return scalar(head, body.text);
    if ('list' in body) {
      const pad = style.spelling % 2 === 0 ? deeper : style.indent.repeat(depth);
      return [head, ...body.list.map((raw) => `${pad}- ${/^[|>]/.test(raw) ? '"block"' : raw}`)];
    }
    if (!('children' in body)) throw new Error('YAML has no plural forms');
    if (body.children.length > 0) return [head, ...lines(body.children, depth + 1)];
    return [style.spelling % 2 === 0 ? `${head} {}` : head];
  };
  const all = [
    ...file.head.flatMap((note) => [`# ${note}`, '']),
    ...(rooted ? [`${file.locale}:`] : []),
    ...(rooted && file.items.length === 0 ? [] : lines(file.items, rooted ? 1 : 0)),
    ...file.foot.map((note) => `# ${note}`),
  ];
  return all.join(style.newline) + (style.finalNewline ? style.newline : '');
}

const yaml = {
  path: 'x.yml',
  target: 'fr',
  names: [
    ['a', '"a"'],
    ['b.c', "'b.c'"],
    ['with space'],
    ['"10"'],
    ['é'],
    ['k-1'],
    ['x'],
    ['y'],
    ['z'],
    ['last'],
  ],
  texts: [
    'Hello 0000',
    '"Ünï “0000” 😀"',
    "'it''s 0000'",
    '"a\\tb 0000: # no"',
    'it is {0000}, [yes]',
    '|-\nfirst 0000\n  more\nlast',
    '"yes"',
    '>-\nfolded 0000\nline',
  ],
  comments: true,
};

export const YAML_DIALECTS: readonly Dialect[] = [
  {
    ...yaml,
    name: 'YAML',
    branches: true,
    lists: true,
    write: (file, style) => writeYaml(file, style, false),
  },
  { ...yaml, name: 'Rails YAML', branches: true, write: (file, style) => writeYaml(file, style, true) },
];
