import type { CueTextSyntax } from '../../formats/subtitles/cue-text.ts';
import { type TaggedText, tokenize } from '../../text/tagged.ts';
import type { Segment } from '../../formats/subtitles/passage.ts';
import { splitSpaceless, widthOf } from '../../formats/subtitles/width.ts';

/** The unit of line breaking: a word with its placeholders. */
export interface UnbreakableRun {
  /** The text as written to the file. */
  raw: string;
  /** The width of its words in graphemes; placeholders have none. */
  width: number;
  /** Whether a space precedes the unit on the same line. */
  readonly spaced: boolean;
  /** The number of pairs that are open at its start. */
  readonly depth: number;
  /** The first and last utterances to which its placeholders belong; undefined without placeholders. */
  first: number | undefined;
  last: number | undefined;
  words: string;
}

/** Splits an answer into unbreakable units; undefined for a malformed answer. */
export function unbreakableRunsOf(
  answer: TaggedText,
  segment: Segment,
  { writeWords }: CueTextSyntax,
): readonly UnbreakableRun[] | undefined {
  const tokens = tokenize(answer);
  if (!tokens) return undefined;
  const runs: UnbreakableRun[] = [];
  let depth = 0;
  let boundary: 'none' | 'cut' | 'space' = 'cut';
  const run = (): UnbreakableRun => {
    const current = runs.at(-1);
    if (current && boundary === 'none') return current;
    const spaced = boundary === 'space' && runs.length > 0;
    boundary = 'none';
    const next: UnbreakableRun = {
      raw: '',
      width: 0,
      spaced,
      depth,
      first: undefined,
      last: undefined,
      words: '',
    };
    runs.push(next);
    return next;
  };
  const place = (current: UnbreakableRun, raw: string, utterance: number): void => {
    current.raw += raw;
    current.first = Math.min(current.first ?? utterance, utterance);
    current.last = Math.max(current.last ?? utterance, utterance);
  };
  for (const token of tokens) {
    if (token.type === 'words') {
      for (const [i, word] of token.text.split(BREAKABLE).entries()) {
        if (i > 0) boundary = 'space';
        if (word === '') continue;
        for (const [k, part] of splitSpaceless(word).entries()) {
          if (k > 0) boundary = 'cut';
          const current = run();
          current.raw += writeWords(part);
          current.words += part;
          current.width += widthOf(part);
        }
      }
      continue;
    }
    const piece = segment.pieces.get(token.id);
    if (!piece) return undefined;
    if (token.type === 'placeholder') place(run(), piece.open + piece.close, piece.utterance);
    else if (token.type === 'open') {
      place(run(), piece.open, piece.utterance);
      depth++;
    } else {
      // Moves a space from before a closing tag to after it.
      place(runs.at(-1) ?? run(), piece.close, piece.utterance);
      depth--;
    }
  }
  return runs;
}

/** Spaces that allow a line break. */
const BREAKABLE = /[ \t\r\n\f\v\u2028\u2029\u3000]+/;

/** The possible starts and intended widths of the parts of a text. */
interface CutPlan {
  /** The intended widths of the parts, in proportion. */
  readonly shares: readonly number[];
  /** Whether a part may begin at a unit. */
  readonly mayCut: (index: number, part: number) => boolean;
}

/**
 * Splits a text into as many parts as there are shares, each near its share of the width, preferably after a comma.
 * Undefined if the text has too few places to split. Linear.
 */
export function splitByWidth(
  runs: readonly UnbreakableRun[],
  plan: CutPlan,
): readonly (readonly UnbreakableRun[])[] | undefined {
  const starts = startsOf(runs);
  const total = starts.at(-1) ?? 0;
  const whole = plan.shares.reduce((sum, share) => sum + share, 0) || 1;
  const cuts = [0];
  let shared = 0;
  for (let part = 1; part < plan.shares.length; part++) {
    shared += plan.shares[part - 1] ?? 0;
    const room = runs.length - (plan.shares.length - part);
    const cut = nearestCut(runs, starts, {
      target: (total * shared) / whole,
      from: (cuts.at(-1) ?? 0) + 1,
      to: room,
      mayCut: (index) => plan.mayCut(index, part),
    });
    if (cut === undefined) return undefined;
    cuts.push(cut);
  }
  return cuts.map((cut, i) => runs.slice(cut, cuts[i + 1] ?? runs.length));
}

interface Search {
  readonly target: number;
  readonly from: number;
  readonly to: number;
  readonly mayCut: (index: number) => boolean;
}

/** The accepted deviation from balance, in characters, for a break after a clause. */
const CLAUSE_BONUS = 4;

function nearestCut(
  runs: readonly UnbreakableRun[],
  starts: readonly number[],
  search: Search,
): number | undefined {
  let best: number | undefined;
  let bestCost = Infinity;
  for (let i = search.from; i <= search.to; i++) {
    const distance = (starts[i] ?? 0) - search.target;
    if (distance - CLAUSE_BONUS > bestCost) break;
    if (!search.mayCut(i)) continue;
    const bonus = /[,;:.!?…、。，！？؟،]["'”’»)]*$/u.test(runs[i - 1]?.words ?? '') ? CLAUSE_BONUS : 0;
    const cost = Math.abs(distance) - bonus;
    if (cost < bestCost) [best, bestCost] = [i, cost];
  }
  return best;
}

/** The width before each unit, and finally the total. */
export function startsOf(runs: readonly UnbreakableRun[]): readonly number[] {
  const starts = [0];
  let width = 0;
  for (const run of runs) {
    width += run.width + (run.spaced ? 1 : 0);
    starts.push(width);
  }
  return starts;
}
