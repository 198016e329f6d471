import type { Format } from '../format.ts';
import { insert } from '../markdown/insert.ts';
import type { SubtitleFormat } from './names.ts';
import type { SubtitleDocument } from './document.ts';
import { subtitleNotation } from './format.ts';

/** Treats a subtitle format as a format for running text: the source determines which cues exist, and their order. */
export function cueFormat(id: SubtitleFormat): Format {
  const notation = subtitleNotation(id);
  return {
    scan(text, options): SubtitleDocument {
      const document = notation.scan(text, options);
      const warnings = document.problems.map(
        ({ offset, message }) => ({ rule: 'unreadable-entry', offset, message }) as const,
      );
      return { ...document, warnings };
    },
    retarget: ({ text }, { locale }) => notation.retarget?.(text, locale) ?? [],
    insert,
    remove: () => [],
  };
}
