import type { EngineDescription } from '../description.ts';

export const deepl = {
  id: 'deepl',
  load: async ({ timeoutMs, env = process.env, onWithoutTerms }) => {
    const { createDeepLEngine } = await import('./deepl.ts');
    return createDeepLEngine({ timeoutMs, env, onWithoutTerms: (error) => onWithoutTerms?.('deepl', error) });
  },
} as const satisfies EngineDescription;
