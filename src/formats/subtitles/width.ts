import { wordsOf } from './cue-text.ts';
import type { SubtitleDocument } from './document.ts';

const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u;
/** Characters that must not begin a line. */
const CLOSING = /^[\p{Pe}\p{Pf}、。，．・：；！？ー々〻ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ%％]/u;
/** Characters that must not end a line. */
const OPENING = /[\p{Ps}\p{Pi}]$/u;

/** Whether a text has letters of a script without spaces between words. */
export function isSpaceless(text: string): boolean {
  return SPACELESS.test(text);
}

/** Created on first use, which loads dictionaries and takes longer than converting most files. */
let words: Intl.Segmenter | undefined;
let graphemes: Intl.Segmenter | undefined;

/** Latin text and its punctuation, in which each code unit is a grapheme and words have spaces. */
const NARROW = /^[\u0020-\u02ff\u2010-\u2027]*$/;

/**
 * Splits a run without spaces where a line may break: between words of scripts without spaces, and never inside a
 * grapheme.
 */
export function splitSpaceless(run: string): readonly string[] {
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

/** The width of a text in graphemes. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  let width = 0;
  for (const _ of graphemes.segment(text)) width++;
  return width;
}

/** A cue with too little time for its text. */
interface HurriedCue {
  /** The cue's number, from 1. */
  readonly number: number;
  /** Characters per second, counted as graphemes without markup. */
  readonly rate: number;
}

/** The cues with more characters per second than `most`, in file order. Ignores cues that are never displayed. */
export function findHurried(document: SubtitleDocument, most: number): readonly HurriedCue[] {
  return document.cues.flatMap((cue, i): readonly HurriedCue[] => {
    const duration = (cue.end - cue.start) / 1000;
    if (duration <= 0) return [];
    const width = widthOf(wordsOf(document.notation.cueText.readTokens(cue.text)).trim());
    const rate = Math.ceil(width / duration);
    return width > most * duration ? [{ number: i + 1, rate }] : [];
  });
}
