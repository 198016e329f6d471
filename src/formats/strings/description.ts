import { describeAs } from '../description.ts';
import { quote } from '../key-text.ts';

export const strings = describeAs({
  id: 'strings',
  title: '.strings',
  extensions: ['strings'],
  jobExtensions: ['strings'],
  marks: '=;/',
  mediaType: 'application/octet-stream',
  localeStyle: 'script',
  namesTexts: () => true,
  writeKey: (key) => quote(key.join('.')),
  load: async () => (await import('./format.ts')).strings,
});
