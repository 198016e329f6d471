import { version } from '@browsermt/bergamot-translator/package.json';
import type { EngineDescription } from '../description.ts';

export const firefox = {
  id: 'firefox',
  isAutomatic: () => true,
  installHint: async (...pair) => (await import('./installed.ts')).installHintFor(...pair),
  version: () => Promise.resolve(`Bergamot ${version}`),
  load: async (options) => (await import('./firefox.ts')).createFirefoxEngine(options),
} as const satisfies EngineDescription;
