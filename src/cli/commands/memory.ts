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
      ['dragoman memory import locales -s en', 'take the translations of a project that is there already'],
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
      summary: 'remove translations from the memory, such as those nobody uses',
      load: async () => (await import('../memory/prune.ts')).prune,
    },
    {
      name: 'repair',
      summary: 'remove translations that an earlier version learned for texts that had changed',
      load: async () => (await import('../memory/repair.ts')).repair,
    },
    {
      name: 'import',
      summary: 'take in translations: TMX, PO, CSV, and localization files as they are',
      load: async () => (await import('../memory/import.ts')).importTranslations,
    },
    {
      name: 'export',
      summary: 'write translations of the memory as TMX, PO or CSV',
      load: async () => (await import('../memory/export.ts')).exportTranslations,
    },
  ],
};
