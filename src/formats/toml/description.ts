import { describeAs } from '../description.ts';

export const toml = describeAs({
  id: 'toml',
  title: 'TOML',
  extensions: ['toml'],
  mediaType: 'application/toml',
  localeStyle: 'bcp47',
  isCode: true,
  namesTexts: (path) => /(?:^|\/)(?:active|translate)\.[^./]+\.toml$/.test(path),
  load: async () => (await import('./format.ts')).toml,
});
