import { readCueText, wordsOf } from '../../formats/subtitles/cue-text.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import type { DocumentKind } from '../kind.ts';
import type { SubtitleContext, TranslatedSubtitles } from './options.ts';
import { translateCues } from './translate-subtitles.ts';

/** No format of subtitles says what language they are in. */
export const SUBTITLES: DocumentKind<SubtitleDocument, SubtitleContext, TranslatedSubtitles> = {
  textsOf: ({ cues }) =>
    cues.map((cue) => wordsOf(readCueText(cue.text))).filter((words) => /\p{L}/u.test(words)),
  languageOf: () => undefined,
  translate: translateCues,
};
