import { describeAs } from '../description.ts';
import { shortenText } from '../key-text.ts';

export const properties = describeAs({
  id: 'properties',
  title: '.properties',
  extensions: ['properties'],
  jobExtensions: ['properties'],
  marks: '\n\r=:',
  mediaType: 'text/x-java-properties',
  localeStyle: 'underscore',
  keepsStrayBytes: true,
  namesTexts: (path) => /_[a-z]{2,3}(?:_[A-Z]{2})?\.properties$/.test(path),
  writeKey: (key) => shortenText(key.join('.')),
  load: async () => (await import('./format.ts')).properties,
});
