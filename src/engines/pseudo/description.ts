import type { EngineDescription } from '../description.ts';

export const pseudo = {
  id: 'pseudo',
  load: async () => (await import('./pseudo.ts')).createPseudoEngine(),
} as const satisfies EngineDescription;
