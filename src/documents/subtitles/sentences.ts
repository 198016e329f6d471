import type { Cue } from '../../formats/subtitles/document.ts';
import type { Turn } from './utterance.ts';

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

export interface PassageOptions {
  readonly perCue: boolean;
  /** Whether a missing full stop says anything in this file: see {@link isPunctuated}. */
  readonly punctuated: boolean;
}

/** Finds sentences that run over several cues, one after the other: of the turns only the next is read ahead. */
export function* findPassages(
  turns: Iterable<Turn>,
  cues: readonly Cue[],
  { perCue, punctuated }: PassageOptions,
): Generator<Passage> {
  let current: Turn[] = [];
  let before: Turn | undefined;
  let length = 0;
  for (const turn of turns) {
    if (turn.isTranslatable) {
      const joins =
        !perCue &&
        before !== undefined &&
        before === current.at(-1) &&
        current.length < MAX_CUES &&
        length + turn.words.length <= MAX_CHARACTERS &&
        runsOn(before, turn, cues, punctuated);
      if (!joins) {
        if (current.length > 0) yield current;
        current = [];
        length = 0;
      }
      current.push(turn);
      length += turn.words.length;
    }
    before = turn;
  }
  if (current.length > 0) yield current;
}

/** Whether sentences end in a full stop, or another sign. */
export function isPunctuated(turns: Iterable<Turn>): boolean {
  let spoken = 0;
  let ended = 0;
  for (const turn of turns) {
    if (!turn.isTranslatable) continue;
    spoken++;
    if (END.test(turn.words.trimEnd())) ended++;
  }
  return ended * 2 >= spoken;
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
