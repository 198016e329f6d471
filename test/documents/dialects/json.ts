import type { Dialect, FileModel, Item, Style } from '../target-model.ts';

const plain = (...names: string[]): string[][] => names.map((name) => [name]);

const JSON_TEXTS = [
  '"Hello 0000"',
  '"Ünï “0000” 😀"',
  '"\\u00e9 0000 \\/ \\n"',
  '"say \\"0000\\" it\'s"',
  '" back\\\\slash 0000 "',
  '"// 0000 /* {{x}}"',
];
const JSON_NAMES = plain(
  ...['a', 'b.c', 'with space', '10', '12', 'é', '__proto__', 'k_one', 'q\\"q', 'x', 'y', 'z'].map(
    (name) => `"${name}"`,
  ),
);

interface JsonWriting {
  /** Writes the value of an item; `raw` is its text. */
  message(raw: string, item: Item): string;
  /** Returns further members to write next to an item. */
  beside?(item: Item): readonly string[];
}

function writeJson(
  { items, head, foot, ...file }: FileModel,
  style: Style,
  writing: JsonWriting,
  first?: string,
): string {
  const { newline, compact } = style;
  const commented = !compact && writing.beside === undefined;
  const lines = (list: readonly Item[], depth: number, opening: readonly string[] = []): string[] => {
    const pad = compact ? '' : style.indent.repeat(depth);
    const colon = compact ? ':' : ': ';
    const blocks = opening.map((member) => [pad + member]);
    for (const item of list) {
      const block: string[] = [];
      if (item.gap && !compact && blocks.length > 0) block.push('');
      if (commented) for (const note of item.notes) block.push(`${pad}// ${note}`);
      block.push(...withHead(pad + (item.name[0] ?? '') + colon, bodyLines(item, depth)));
      blocks.push(block);
      for (const member of writing.beside?.(item) ?? []) blocks.push([pad + member]);
    }
    const trailing = commented && head.length > 0 && style.spelling % 2 === 1;
    return blocks.flatMap((block, i) => {
      const comma = i < blocks.length - 1 || trailing ? ',' : '';
      return block.map((line, j) => (j === block.length - 1 ? line + comma : line));
    });
  };
  const bodyLines = (item: Item, depth: number): string[] => {
    const { body } = item;
    const pad = compact ? '' : style.indent.repeat(depth);
    if ('text' in body) return [writing.message(body.text, item)];
    if ('list' in body) {
      const deeper = compact ? '' : pad + style.indent;
      const last = body.list.length - 1;
      return ['[', ...body.list.map((raw, i) => `${deeper}${raw}${i < last ? ',' : ''}`), `${pad}]`];
    }
    if (!('children' in body)) throw new Error('JSON has no plural forms');
    return body.children.length === 0 ? ['{}'] : ['{', ...lines(body.children, depth + 1), `${pad}}`];
  };
  const note = (text: string): string => `// ${text}`;
  const inner = lines(items, 1, first === undefined ? [] : [first.replace('LOCALE', file.locale)]);
  const all = [
    ...(commented ? head.map(note) : []),
    '{',
    ...inner,
    '}',
    ...(commented ? foot.map(note) : []),
  ];
  return all.join(compact ? '' : newline) + (style.finalNewline ? newline : '');
}

function withHead(head: string, lines: readonly string[]): string[] {
  return lines.map((line, i) => (i === 0 ? head + line : line));
}

const description = ({ notes }: Item): string => (notes[0] ? `, "description": "${notes[0]}"` : '');

const json = {
  path: 'x.json',
  target: 'fr',
  names: JSON_NAMES,
  texts: JSON_TEXTS,
  compact: true,
  tabs: true,
};

export const JSON_DIALECTS: readonly Dialect[] = [
  {
    ...json,
    name: 'nested JSON',
    branches: true,
    lists: true,
    write: (file, style) => writeJson(file, style, { message: (raw) => raw, beside: () => [] }),
  },
  {
    ...json,
    name: 'JSON with comments',
    branches: true,
    comments: true,
    compact: false,
    write: (file, style) => writeJson(file, style, { message: (raw) => raw }),
  },
  {
    ...json,
    name: 'ARB',
    path: 'x.arb',
    names: plain('"a"', '"b"', '"c"', '"d"', '"e"', '"f"', '"g"', '"h"', '"i"', '"j"'),
    descriptions: true,
    write: (file, style) => {
      const beside = ({ name, notes }: Item): string[] =>
        notes.map((note) => `${(name[0] ?? '').replace('"', '"@')}: {"description": "${note}"}`);
      return writeJson(file, style, { message: (raw) => raw, beside }, '"@@locale": "LOCALE"');
    },
  },
  {
    ...json,
    name: 'Chrome messages',
    descriptions: true,
    write: (file, style) =>
      writeJson(file, style, {
        message: (raw, item) => `{ "message": ${raw}${description(item)} }`,
        beside: () => [],
      }),
  },
  {
    ...json,
    name: 'FormatJS',
    descriptions: true,
    write: (file, style) =>
      writeJson(file, style, {
        message: (raw, item) => `{ "defaultMessage": ${raw}${description(item)} }`,
        beside: () => [],
      }),
  },
];
