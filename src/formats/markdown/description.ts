import { describeAs } from '../description.ts';

export const markdown = describeAs({
  id: 'markdown',
  title: 'Markdown',
  extensions: ['md', 'markdown'],
  mediaType: 'text/markdown',
  localeStyle: 'bcp47',
  isCode: true,
  isProse: true,
  load: async () => (await import('./format.ts')).markdown,
});
