import type { CommandGroup } from '../command.ts';
import { addExamples } from '../examples.ts';

/** What translates here, and the models that the firefox engine has. */
export const engines: CommandGroup = {
  describe(command) {
    addExamples(command, [
      ['dragoman engines', 'what each engine can translate, and how to get more'],
      ['dragoman engines install en-es en-fr', 'neural translation on this machine, from English'],
      ['dragoman engines install fr-de', 'both models for French to German, which needs English as a pivot'],
    ]);
  },

  commands: [
    {
      name: 'status',
      summary: 'list the engines and what each can translate',
      isDefault: true,
      load: async () => (await import('../engines/status.ts')).status,
    },
    {
      name: 'install',
      summary: 'download translation models of Firefox, and verify them',
      load: async () => (await import('../engines/install.ts')).install,
    },
    {
      name: 'list',
      summary: 'list installed or available models',
      load: async () => (await import('../engines/list.ts')).list,
    },
    {
      name: 'remove',
      summary: 'delete installed models',
      load: async () => (await import('../engines/remove.ts')).remove,
    },
    {
      name: 'path',
      summary: 'print the directory of the models',
      load: async () => (await import('../engines/path.ts')).path,
    },
  ],
};
