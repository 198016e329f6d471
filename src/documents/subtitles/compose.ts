import type { SubtitleNotation } from '../../formats/subtitles/document.ts';
import type { SubtitleOptions } from './options.ts';
import { rawOf } from './utterance.ts';

export interface Composition {
  /** Canonical. */
  readonly target: string;
  readonly options: SubtitleOptions;
  readonly notation: SubtitleNotation;
}

const RTL_MARK = '\u200f';
const RTL_SCRIPTS = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Samr', 'Mand']);

/** What a cue holds in the end: the translation, marked for direction where asked, the source below it where asked. */
export function composeCue(
  source: string,
  translation: string,
  { target, options: { bilingual = false, rtlMarks = false }, notation }: Composition,
): string {
  if (translation === source) return source;
  const marked = rtlMarks && isRightToLeft(target) ? markLines(translation) : translation;
  return bilingual ? `${marked}\n${withoutEffects(source, notation)}` : marked;
}

function isRightToLeft(language: string): boolean {
  return RTL_SCRIPTS.has(new Intl.Locale(language).maximize().script ?? '');
}

/** Behind the codes that open a line, where players still find them first. */
function markLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const codes = /^(?:\{[^{}]*\}|<[^<>]*>)*/.exec(line)?.[0] ?? '';
      return `${codes}${RTL_MARK}${line.slice(codes.length)}${RTL_MARK}`;
    })
    .join('\n');
}

/** Positions and times hold for the whole cue: the second copy must not set them again. */
function withoutEffects(source: string, { cueText }: SubtitleNotation): string {
  return rawOf(
    cueText
      .readTokens(source)
      .filter((token) => token.type !== 'code' || (token.kind !== 'override' && token.kind !== 'timestamp')),
  );
}
