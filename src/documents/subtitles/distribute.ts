import type { CueTextSyntax } from '../../formats/subtitles/cue-text.ts';
import type { TaggedText } from '../../text/tagged.ts';
import { atomsOf, type Atom } from './unbreakable-runs.ts';
import { cutByWidth } from './split-by-width.ts';
import type { Segment } from './segment.ts';
import type { Passage } from './sentences.ts';
import { soundnessProblem } from './soundness.ts';
import type { Turn } from './utterance.ts';
import { wrap } from './wrap.ts';

export interface CueLayout {
  readonly cueText: CueTextSyntax;
  readonly maxLine: number;
  /** Lines that a turn may grow to; it never loses those it has. */
  readonly maxLinesOf: (turn: Turn) => number;
}

/** The texts of a passage's turns, in order, or why the answer cannot be brought into them. */
export type Fit = { readonly texts: readonly string[] } | { readonly problem: string };

/** Distributes an answer over the turns of its passage by length, and writes it as lines. */
export function fit(passage: Passage, segment: Segment, answer: TaggedText, layout: CueLayout): Fit {
  if (answer === segment.tagged) return { texts: passage.map((turn) => turn.raw) };
  const atoms = atomsOf(answer, segment, layout.cueText);
  if (!atoms) return { problem: 'the answer is not well-formed' };
  const parts = passage.length === 1 ? [atoms] : distribute(passage, atoms);
  if (!parts || parts.some((part) => part.every((atom) => atom.width === 0))) {
    return { problem: `the answer cannot be divided over ${passage.length} cues` };
  }
  const texts: string[] = [];
  for (const [i, turn] of passage.entries()) {
    const limits = { lines: turn.lines, maxLines: layout.maxLinesOf(turn), maxLine: layout.maxLine };
    const text = turn.lead + wrap(parts[i] ?? [], limits) + turn.trail;
    const problem = soundnessProblem(turn, text, layout.cueText);
    if (problem !== undefined) return { problem };
    texts.push(text);
  }
  return { texts };
}

/** A cue gets its own placeholders and no pair is torn: within that, the cut nearest to the source's proportions. */
function distribute(passage: Passage, atoms: readonly Atom[]): readonly (readonly Atom[])[] | undefined {
  const earliest = passage.map(() => 0);
  const latest = passage.map(() => atoms.length);
  for (const [i, { first, last }] of atoms.entries()) {
    // Everything up to the turn `last` has to be cut off behind this atom, everything from `first` on before it.
    if (last !== undefined) earliest[last + 1] = i + 1;
    if (first !== undefined) latest[first] = Math.min(latest[first] ?? i, i);
  }
  for (let turn = 1; turn < passage.length; turn++)
    earliest[turn] = Math.max(earliest[turn] ?? 0, earliest[turn - 1] ?? 0);
  for (let turn = passage.length - 2; turn >= 0; turn--)
    latest[turn] = Math.min(latest[turn] ?? 0, latest[turn + 1] ?? atoms.length);
  return cutByWidth(atoms, {
    shares: passage.map((turn) => Math.max(1, turn.words.length)),
    mayCut: (index, turn) =>
      atoms[index]?.depth === 0 && index >= (earliest[turn] ?? 0) && index <= (latest[turn] ?? atoms.length),
  });
}
