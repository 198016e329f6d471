import type { EngineDescription } from '../description.ts';

export const openai = {
  id: 'openai',
  hasSettings: true,
  load: async ({ timeoutMs, graceMs, env = process.env, settings }) => {
    const { createOpenAIEngine } = await import('./openai.ts');
    const { model, window } = settings?.['openai'] ?? {};
    return createOpenAIEngine({
      model: model === undefined ? undefined : String(model),
      window: window === undefined ? undefined : Number(window),
      timeoutMs,
      graceMs,
      env,
    });
  },
} as const satisfies EngineDescription;
