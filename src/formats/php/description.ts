import { describeAs } from '../description.ts';

export const php = describeAs({
  id: 'php',
  title: 'PHP',
  extensions: ['php'],
  mediaType: 'application/x-httpd-php',
  localeStyle: 'underscore',
  isCode: true,
  // CodeIgniter 3 names its directories after the English names of languages.
  namesTexts: (path) => /(?:^|\/)language\/[a-z-]+\/[^/]+_lang\.php$/.test(path),
  textsStandIn: 'the arrays that it returns or assigns',
  load: async () => (await import('./format.ts')).php,
});
