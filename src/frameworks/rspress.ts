import { describeFramework } from './description.ts';
import { scriptsNamed } from './manifest.ts';

export const rspress = describeFramework({
  id: 'rspress',
  title: 'Rspress',
  evidence: [
    { files: scriptsNamed('rspress.config') },
    { files: ['package.json'], names: ['rspress', '@rspress/core'] },
  ],
  formats: ['markdown', 'mdx'],
  // Beside their labels, the entries of a navigation have types, file names and addresses.
  isData: ({ path, isBelowManifest }) => /(?:^|\/)_(?:meta|nav)\.json$/.test(path) && isBelowManifest(),
});
