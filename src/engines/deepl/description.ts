import type { EngineDescription } from '../description.ts';

export const deepl = {
  id: 'deepl',
  load: async ({ timeoutMs, graceMs, env = process.env, onWithoutTerms }) => {
    const { createDeepLEngine } = await import('./deepl.ts');
    return createDeepLEngine({
      timeoutMs,
      graceMs,
      env,
      onWithoutTerms: (error) => onWithoutTerms?.('deepl', error),
    });
  },
} as const satisfies EngineDescription;
