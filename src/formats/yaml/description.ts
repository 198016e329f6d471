import { describeAs } from '../description.ts';

export const yaml = describeAs({
  id: 'yaml',
  title: 'YAML',
  extensions: ['yaml', 'yml'],
  jobExtensions: ['yaml', 'yml'],
  marks: '\n:[',
  mediaType: 'application/yaml',
  localeStyle: 'bcp47',
  uniqueKeys: 'by some',
  namesTexts: (path) => /(?:^|\/)_locales\//.test(path),
  load: async () => (await import('./format.ts')).yaml,
});
