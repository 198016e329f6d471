import type { EngineDescription } from '../description.ts';

export const apertium = {
  id: 'apertium',
  isAutomatic: () => true,
  installHint: async (...pair) => (await import('./packages.ts')).installHintFor(...pair),
  version: async () => (await import('./packages.ts')).apertiumVersion(),
  load: async (options) => (await import('./apertium.ts')).createApertiumEngine(options),
} as const satisfies EngineDescription;
