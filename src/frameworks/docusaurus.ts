import { describeFramework } from './description.ts';

export const docusaurus = describeFramework({
  id: 'docusaurus',
  title: 'Docusaurus',
  evidence: [
    { files: ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map((extension) => `docusaurus.config.${extension}`) },
  ],
  formats: ['json', 'markdown', 'mdx'],
  holds: /(?:^|\/)i18n\/[^/]+\/|\.mdx?$/,
});
