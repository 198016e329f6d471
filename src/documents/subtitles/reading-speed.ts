import { wordsOf } from '../../formats/subtitles/cue-text.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import { widthOf } from './spaceless.ts';

/** A cue that is shown for too short a time. */
export interface HurriedCue {
  /** Its place among the cues, from 1. */
  readonly number: number;
  /** Characters a second, as people count them: graphemes, without markup. */
  readonly rate: number;
}

/** The cues that have more characters a second than that, in file order. A cue that is never shown is none. */
export function findHurried(document: SubtitleDocument, most: number): readonly HurriedCue[] {
  return document.cues.flatMap((cue, i): readonly HurriedCue[] => {
    const duration = (cue.end - cue.start) / 1000;
    if (duration <= 0) return [];
    const width = widthOf(wordsOf(document.notation.cueText.readTokens(cue.text)).trim());
    const rate = Math.ceil(width / duration);
    return width > most * duration ? [{ number: i + 1, rate }] : [];
  });
}
