import type { EngineDescription } from '../description.ts';

export const libretranslate = {
  id: 'libretranslate',
  load: async ({ timeoutMs, env = process.env }) =>
    (await import('./libretranslate.ts')).createLibreTranslateEngine({ timeoutMs, env }),
} as const satisfies EngineDescription;
