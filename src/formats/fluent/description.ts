import { describeAs } from '../description.ts';

export const fluent = describeAs({
  id: 'fluent',
  title: 'Fluent',
  extensions: ['ftl'],
  mediaType: 'text/plain',
  localeStyle: 'bcp47',
  namesTexts: () => true,
  writeKey: (key) => key.map((part, i) => (i === 0 || part.startsWith('.') ? part : ` › ${part}`)).join(''),
  load: async () => (await import('./format.ts')).fluent,
});
