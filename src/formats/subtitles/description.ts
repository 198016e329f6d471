import { describeAs, type FormatDescription } from '../description.ts';
import { SUBTITLE_NAMES, type SubtitleFormat } from './names.ts';

/**
 * Subtitle formats as `sync` reads them: documents whose texts are cues. Commands for localization files do not accept
 * them.
 */
export const CUE_DESCRIPTIONS: readonly (FormatDescription & { readonly id: SubtitleFormat })[] =
  Object.values(SUBTITLE_NAMES).map((names) =>
    describeAs({
      ...names,
      mediaType: 'text/plain',
      localeStyle: 'bcp47',
      isCode: true,
      isProse: true,
      load: async () => (await import('./cue-format.ts')).cueFormat(names.id),
    }),
  );
