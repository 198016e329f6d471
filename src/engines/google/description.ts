import type { EngineDescription } from '../description.ts';

export const google = {
  id: 'google',
  load: async ({ timeoutMs, graceMs, env = process.env }) =>
    (await import('./google.ts')).createGoogleEngine({ timeoutMs, graceMs, env }),
} as const satisfies EngineDescription;
