import type { CommandGroup } from '../command.ts';
import { addExamples } from '../examples.ts';

/** The translation memory: what is in it, and how it gets in and out. */
export const memory: CommandGroup = {
  describe(command) {
    addExamples(command, [
      ['dragoman memory stats', 'where the translation memory is, and what is in it'],
      [
        'dragoman memory prune --unused-for 365',
        "remove engines' translations that were not used for a year",
      ],
      ['dragoman memory import locales -s en', 'import the translations of an existing project'],
      ['dragoman memory export memory.tmx', 'for other translation tools, or for a colleague'],
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
      summary: 'remove translations from the memory, such as unused ones',
      load: async () => (await import('../memory/prune.ts')).prune,
    },
    {
      name: 'repair',
      summary: 'remove translations that an earlier version learned for texts that had changed',
      load: async () => (await import('../memory/repair.ts')).repair,
    },
    {
      name: 'import',
      summary: 'import translations from TMX, PO, CSV and localization files',
      load: async () => (await import('../memory/import.ts')).importTranslations,
    },
    {
      name: 'export',
      summary: 'write translations of the memory as TMX, PO or CSV',
      load: async () => (await import('../memory/export.ts')).exportTranslations,
    },
  ],
};
