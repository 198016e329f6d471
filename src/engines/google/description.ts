import type { EngineDescription } from '../description.ts';

export const google = {
  id: 'google',
  load: async ({ timeoutMs, env = process.env }) =>
    (await import('./google.ts')).createGoogleEngine({ timeoutMs, env }),
} as const satisfies EngineDescription;
