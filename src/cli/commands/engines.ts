import type { CommandGroup } from '../command.ts';
import { addExamples } from '../examples.ts';

/** What translates here, and the models that the firefox engine has. */
export const engines: CommandGroup = {
  describe(command) {
    addExamples(command, [
      ['dragoman engines', 'what can translate what, and how to get more'],
      ['dragoman engines install en-es en-fr', 'neural translation on this machine, from English'],
      [
        'dragoman engines install fr-de',
        'what it needs from French to German: two models, by way of English',
      ],
    ]);
  },

  commands: [
    {
      name: 'status',
      summary: 'what can translate what, here and now',
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
      summary: 'the models that are installed, or that there are',
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
