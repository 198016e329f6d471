import { describeFramework } from './description.ts';

export const vitepress = describeFramework({
  id: 'vitepress',
  title: 'VitePress',
  evidence: [{ files: ['package.json'], names: ['vitepress'] }],
  formats: ['markdown'],
});
