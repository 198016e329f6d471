import type { EngineDescription } from '../description.ts';

export const libretranslate = {
  id: 'libretranslate',
  load: async ({ timeoutMs, graceMs, env = process.env }) =>
    (await import('./libretranslate.ts')).createLibreTranslateEngine({ timeoutMs, graceMs, env }),
} as const satisfies EngineDescription;
