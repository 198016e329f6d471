import { describeAs } from '../description.ts';

export const json5 = describeAs({
  id: 'json5',
  title: 'JSON5',
  extensions: ['json5'],
  mediaType: 'application/json5',
  localeStyle: 'underscore',
  load: async () => (await import('./format.ts')).json5,
});
