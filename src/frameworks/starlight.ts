import { describeFramework } from './description.ts';

export const starlight = describeFramework({
  id: 'starlight',
  title: 'Starlight',
  evidence: [{ files: ['package.json'], names: ['@astrojs/starlight'] }],
  formats: ['markdown', 'mdx', 'json', 'yaml'],
  holds: /\.mdx?$|(?:^|\/)src\/content\/i18n\//,
});
