import { MAX_LENGTH } from '../../src/formats/markdown/parse.ts';
import { cmarkGfm, mdast } from '../readers/markdown.ts';
import { decode } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const markdown: Specimen = {
  fixtures: /\.md$/,
  reader: cmarkGfm,
  sample: { text: '# a `b`\n', read: [], broken: undefined },
  threeKeys: { text: 'x1\n\nx2\n\nx3\n', hostile: 'x\n\ny' },
  hostile: [
    ['S `a_b` W **S** S', '`a_b`', '**'],
    ['S [W S](page.md "T") ![W](i.png) <kbd>W</kbd>', '](page.md', '![', '](i.png)', '<kbd>', '</kbd>'],
    ['*W* S <https://a.example/b_c> W[^1]', '*', '<https://a.example/b_c>', '[^1]'],
  ],
  made: [
    {
      name: 'markdown',
      extension: 'md',
      head: '---\ntitle: Page\n---\n\n',
      entry: (i, text) =>
        `${i % 8 === 0 ? '## Section\n\n' : ''}${text} – [*more*](page${i}.md) in \`code\`.\n\n`,
      tail: '',
      megabytes: 500,
      mostCharacters: MAX_LENGTH,
      reference: {
        name: 'mdast-util-from-markdown',
        load: async () => {
          const { fromMarkdown } = await import('mdast-util-from-markdown');
          return (bytes) => fromMarkdown(decode(bytes)).children.length;
        },
      },
    },
  ],
};

export const mdx: Specimen = {
  ...markdown,
  fixtures: /\.mdx$/,
  reader: mdast,
  sample: { text: '# a {b}\n', read: [], broken: '# a {b\n' },
  hostile: [
    ['S `a_b` W **S** S', '`a_b`', '**'],
    ['S {props.name} <Key id="x">W S</Key> W[^1]', '{props.name}', '<Key id="x">', '</Key>', '[^1]'],
  ],
  made: [{ ...markdown.made[0], name: 'mdx', extension: 'mdx' }],
};
