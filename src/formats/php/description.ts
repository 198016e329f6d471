import { describeAs } from '../description.ts';

export const php = describeAs({
  id: 'php',
  title: 'PHP',
  extensions: ['php'],
  mediaType: 'application/x-httpd-php',
  localeStyle: 'underscore',
  nameStyles: { php: 'underscore' },
  isCode: true,
  load: async () => (await import('./format.ts')).php,
});
