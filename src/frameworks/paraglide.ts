import { describeFramework } from './description.ts';

export const paraglide = describeFramework({
  id: 'paraglide',
  title: 'paraglide',
  evidence: [
    { files: ['settings.json'], within: /project\.inlang$/ },
    {
      files: ['package.json'],
      names: ['@inlang/paraglide-js', '@inlang/paraglide-sveltekit', '@inlang/paraglide-next'],
    },
  ],
  formats: ['json'],
});
