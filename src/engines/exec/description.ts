import type { EngineDescription } from '../description.ts';

export const exec = {
  id: 'exec',
  runsProgram: true,
  isAutomatic: ({ execCommand }) => execCommand !== undefined,
  load: async (options) => (await import('./exec.ts')).createExecEngine(options),
} as const satisfies EngineDescription;
