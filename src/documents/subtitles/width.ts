import { wordsOf } from '../../formats/subtitles/cue-text.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';

const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u;
/** Never at the start of a line. */
const CLOSING = /^[\p{Pe}\p{Pf}、。，．・：；！？ー々〻ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ%％]/u;
/** Never at the end of a line. */
const OPENING = /[\p{Ps}\p{Pi}]$/u;

/** Whether a text has letters of a script that is written without spaces between words. */
export function isSpaceless(text: string): boolean {
  return SPACELESS.test(text);
}

/** Made at their first use: that reads dictionaries, which takes longer than converting most files. */
let words: Intl.Segmenter | undefined;
let graphemes: Intl.Segmenter | undefined;

/** Latin and its punctuation: a grapheme is a code unit, and words have spaces. */
const NARROW = /^[\u0020-\u02ff\u2010-\u2027]*$/;

/** Cuts a run without spaces where a line may break: between words of scripts without spaces, never in a grapheme. */
export function cutSpaceless(run: string): readonly string[] {
  if (NARROW.test(run) || !isSpaceless(run)) return [run];
  words ??= new Intl.Segmenter('ja', { granularity: 'word' });
  const parts: string[] = [];
  let before = '';
  for (const { segment } of words.segment(run)) {
    const last = parts.at(-1);
    const glued = last === undefined || CLOSING.test(segment) || OPENING.test(last);
    const breakable = isSpaceless(segment) || isSpaceless(before);
    if (glued || !breakable) parts[Math.max(0, parts.length - 1)] = (last ?? '') + segment;
    else parts.push(segment);
    before = segment;
  }
  return parts;
}

/** How wide a text is: its graphemes. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  let width = 0;
  for (const _ of graphemes.segment(text)) width++;
  return width;
}

/** A cue that is shown for too short a time. */
interface HurriedCue {
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
