import { MAX_LENGTH } from '../../src/formats/markdown/parse.ts';
import { cmarkGfm, mdast } from '../readers/markdown.ts';
import { decode } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const markdown: Specimen = {
  fixtures: /\.md$/,
  reader: cmarkGfm,
  sample: { text: '# a `b`\n', read: [], broken: undefined },
  threeKeys: { text: 'x1\n\nx2\n\nx3\n', hostile: 'x\n\ny' },
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
  made: [{ ...markdown.made[0], name: 'mdx', extension: 'mdx' }],
};
