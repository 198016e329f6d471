import type { TranslationMemory } from '../../pipeline/memory.ts';

/** A memory of which only humans' translations are taken: for those who want what engines did done again. */
export function humanTranslationsOf(memory: TranslationMemory): TranslationMemory {
  return {
    find: async (messages, pair) => {
      const found = await memory.find(messages, pair);
      return found.map((translation) => (translation?.origin === 'human' ? translation : undefined));
    },
    findSimilar: (...query) => memory.findSimilar(...query),
    store: (...entries) => memory.store(...entries),
  };
}
