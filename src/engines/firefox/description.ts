import type { EngineDescription } from '../description.ts';

export const firefox = {
  id: 'firefox',
  isAutomatic: () => true,
  installHint: async (...pair) => (await import('./languages.ts')).installHintFor(...pair),
  load: async (options) => (await import('./firefox.ts')).createFirefoxEngine(options),
} as const satisfies EngineDescription;
