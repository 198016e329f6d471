import { describeAs } from '../description.ts';

export const ini = describeAs({
  id: 'ini',
  title: 'INI',
  extensions: ['ini'],
  mediaType: 'text/plain',
  localeStyle: 'bcp47',
  isCode: true,
  load: async () => (await import('./format.ts')).ini,
});
