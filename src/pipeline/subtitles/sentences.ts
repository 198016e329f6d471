import type { Cue } from '../../formats/subtitles/document.ts';
import type { Turn } from './turn.ts';

/** Turns of consecutive cues that are translated as one text; most are a single turn. */
export type Passage = readonly Turn[];

/** Longer runs are cut: in files without punctuation a sentence has no visible end. */
const MAX_CUES = 6;
const MAX_CHARACTERS = 1000;
/** A sentence may pause, but not this long (milliseconds). */
const MAX_PAUSE = 3000;
/** A capital letter may begin a new sentence: it goes on only when the next cue follows at once. */
const MAX_PAUSE_BEFORE_CAPITAL = 500;

const END = /[.!?…‥。！？؟۔।:;)\]」』]["'”’»)\]]*$/u;
const COMMA = /[,،、，]$/u;
const LOWER = /^["'“‘«„(]*\p{Ll}/u;

/** Finds sentences that run over several cues. */
export function findPassages(
  turns: readonly Turn[],
  cues: readonly Cue[],
  options: { readonly perCue: boolean },
): readonly Passage[] {
  const passages: Turn[][] = [];
  const punctuated = isPunctuated(turns);
  let length = 0;
  for (const [i, turn] of turns.entries()) {
    if (!turn.isTranslatable) continue;
    const current = passages.at(-1);
    const before = turns[i - 1];
    const joins =
      !options.perCue &&
      current !== undefined &&
      before !== undefined &&
      before === current.at(-1) &&
      current.length < MAX_CUES &&
      length + turn.words.length <= MAX_CHARACTERS &&
      runsOn(before, turn, cues, punctuated);
    if (joins) {
      current.push(turn);
      length += turn.words.length;
    } else {
      passages.push([turn]);
      length = turn.words.length;
    }
  }
  return passages;
}

/** Whether a missing full stop says anything in this file. */
function isPunctuated(turns: readonly Turn[]): boolean {
  const spoken = turns.filter((turn) => turn.isTranslatable);
  return spoken.filter((turn) => END.test(turn.words.trimEnd())).length * 2 >= spoken.length;
}

function runsOn(before: Turn, next: Turn, cues: readonly Cue[], punctuated: boolean): boolean {
  const [first, second] = [cues[before.cue], cues[next.cue]];
  if (!first || !second || before.cue === next.cue || second.start <= first.start) return false;
  // A dash, a note, a voice or a position of its own begins something new.
  if (/[-–—‐―♩♪♫♬{]|>>|<v/.test(next.lead) || /[♩♪♫♬]/.test(before.trail)) return false;
  const [ending, beginning] = [before.words.trimEnd(), next.words.trimStart()];
  if (END.test(ending) || isShouted(before.words) !== isShouted(next.words)) return false;
  const pause = second.start - first.end;
  if (COMMA.test(ending) || LOWER.test(beginning)) return pause <= MAX_PAUSE;
  return punctuated && pause <= MAX_PAUSE_BEFORE_CAPITAL;
}

/** `LONDON, 1944` is a title. */
function isShouted(words: string): boolean {
  return /\p{Lu}\P{L}*\p{Lu}/u.test(words) && !/[\p{Ll}\p{Lo}]/u.test(words);
}
