import type { CueTextSyntax } from '../../formats/subtitles/cue-text.ts';
import { tokenize, type TaggedText } from '../../text/tagged.ts';
import type { Segment } from './segment.ts';
import { cutSpaceless, widthOf } from './spaceless.ts';

/** What no line end can divide: a word with the placeholders at it. */
export interface Atom {
  /** As it is written into the file. */
  raw: string;
  /** Graphemes of its words; placeholders have no width. */
  width: number;
  /** Whether a space stands before it, on the same line. */
  readonly spaced: boolean;
  /** Pairs that are open where it begins. */
  readonly depth: number;
  /** First and last turn of the passage that its placeholders belong to; undefined without one. */
  first: number | undefined;
  last: number | undefined;
  /** Its words. */
  words: string;
}

/** Takes an answer apart into what may stand on lines of its own. Undefined when it is not well-formed. */
export function atomsOf(
  answer: TaggedText,
  segment: Segment,
  { writeWords }: CueTextSyntax,
): readonly Atom[] | undefined {
  const tokens = tokenize(answer);
  if (!tokens) return undefined;
  const atoms: Atom[] = [];
  let depth = 0;
  let boundary: 'none' | 'cut' | 'space' = 'cut';
  const atom = (): Atom => {
    const current = atoms.at(-1);
    if (current && boundary === 'none') return current;
    const spaced = boundary === 'space' && atoms.length > 0;
    boundary = 'none';
    const next: Atom = { raw: '', width: 0, spaced, depth, first: undefined, last: undefined, words: '' };
    atoms.push(next);
    return next;
  };
  const place = (current: Atom, raw: string, turn: number): void => {
    current.raw += raw;
    current.first = Math.min(current.first ?? turn, turn);
    current.last = Math.max(current.last ?? turn, turn);
  };
  for (const token of tokens) {
    if (token.type === 'words') {
      for (const [i, run] of token.text.split(BREAKABLE).entries()) {
        if (i > 0) boundary = 'space';
        if (run === '') continue;
        for (const [k, part] of cutSpaceless(run).entries()) {
          if (k > 0) boundary = 'cut';
          const current = atom();
          current.raw += writeWords(part);
          current.words += part;
          current.width += widthOf(part);
        }
      }
      continue;
    }
    const piece = segment.pieces.get(token.id);
    if (!piece) return undefined;
    if (token.type === 'placeholder') place(atom(), piece.open + piece.close, piece.turn);
    else if (token.type === 'open') {
      place(atom(), piece.open, piece.turn);
      depth++;
    } else {
      // A space before a closing tag goes behind it.
      place(atoms.at(-1) ?? atom(), piece.close, piece.turn);
      depth--;
    }
  }
  return atoms;
}

/** Spaces at which a line may end: not those that forbid it. */
const BREAKABLE = /[ \t\r\n\f\v\u2028\u2029\u3000]+/;
