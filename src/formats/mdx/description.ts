import { describeAs } from '../description.ts';

export const mdx = describeAs({
  id: 'mdx',
  title: 'MDX',
  extensions: ['mdx'],
  mediaType: 'text/mdx',
  localeStyle: 'bcp47',
  isCode: true,
  isProse: true,
  load: async () => (await import('./format.ts')).mdx,
});
