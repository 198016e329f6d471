import { wordsOf } from '../../formats/subtitles/cue-text.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import { parseLocale } from '../../languages/locale.ts';
import type { DocumentKind } from '../kind.ts';
import type { SubtitleContext, TranslatedSubtitles } from './options.ts';
import { translateCues } from './translate-subtitles.ts';

export const SUBTITLES: DocumentKind<SubtitleDocument, SubtitleContext, TranslatedSubtitles> = {
  textsOf: ({ cues, notation }) =>
    cues
      .filter(({ slot }) => slot !== undefined)
      .map((cue) => wordsOf(notation.cueText.readTokens(cue.text)))
      .filter((words) => /\p{L}/u.test(words)),
  languageOf: ({ locale }) => (locale === undefined ? undefined : parseLocale(locale)),
  translate: translateCues,
};
