import type { CommandGroup } from '../command.ts';
import { addExamples } from '../examples.ts';

/** The translation memory: what is in it, and how it gets in and out. */
export const memory: CommandGroup = {
  describe(command) {
    addExamples(command, [
      ['dragoman memory stats', 'where the translation memory is, and what is in it'],
      [
        'dragoman memory prune --unused-for 365',
        "forget engines' translations that nobody needed for a year",
      ],
    ]);
  },

  commands: [
    {
      name: 'stats',
      summary: 'what is in the translation memory, by languages, origin and engine',
      load: async () => (await import('../memory/stats.ts')).stats,
    },
    {
      name: 'prune',
      summary: 'remove translations from the memory, such as those nobody uses',
      load: async () => (await import('../memory/prune.ts')).prune,
    },
  ],
};
