import type { Atom } from './unbreakable-runs.ts';
import { cutByWidth, startsOf } from './split-by-width.ts';

export interface LineLimits {
  /** Lines that the source has here. */
  readonly lines: number;
  /** Lines that a text too long for its lines may have. */
  readonly maxLines: number;
  /** Graphemes. */
  readonly maxLine: number;
}

/**
 * Writes atoms as lines: as many as the source has, of about the same width; more when a line would be too long and
 * more are allowed; fewer only where there are not that many words.
 */
export function wrap(atoms: readonly Atom[], { lines, maxLines, maxLine }: LineLimits): string {
  const most = Math.max(lines, maxLines);
  let chosen = wrapInto(atoms, lines);
  for (let count = lines + 1; count <= most && widest(chosen) > maxLine; count++) {
    const next = wrapInto(atoms, count);
    if (next.length <= chosen.length) break;
    chosen = next;
  }
  return chosen.map(writeLine).join('\n');
}

function wrapInto(atoms: readonly Atom[], count: number): readonly (readonly Atom[])[] {
  let places = 1;
  for (let i = 1; i < atoms.length; i++) if (mayBreak(atoms, i)) places++;
  const lines = Math.min(count, places);
  const cuts = cutByWidth(atoms, {
    shares: Array.from({ length: lines }, () => 1),
    mayCut: (index) => mayBreak(atoms, index),
  });
  // The nearest place for one line end can leave none for the next.
  return cuts ?? (lines > 1 ? wrapGreedily(atoms, lines) : [atoms]);
}

/** The first places there are: for texts with barely as many words as lines. */
function wrapGreedily(atoms: readonly Atom[], lines: number): readonly (readonly Atom[])[] {
  const cuts = [0];
  for (let i = 1; i < atoms.length && cuts.length < lines; i++) if (mayBreak(atoms, i)) cuts.push(i);
  return cuts.map((cut, i) => atoms.slice(cut, cuts[i + 1] ?? atoms.length));
}

/** A line that began with a dash would be another speaker's; one that began with punctuation is bad style. */
function mayBreak(atoms: readonly Atom[], index: number): boolean {
  const words = atoms[index]?.words ?? '';
  return (
    words !== '' && !/^(?:[-–—‐―]|>>|[!?:;»%.,…)\]]+$)/u.test(words) && (atoms[index - 1]?.words ?? '') !== ''
  );
}

function widest(lines: readonly (readonly Atom[])[]): number {
  return lines.reduce(
    (most, line) => Math.max(most, (startsOf(line).at(-1) ?? 0) - (line[0]?.spaced ? 1 : 0)),
    0,
  );
}

function writeLine(line: readonly Atom[]): string {
  return line.map((atom, i) => (i > 0 && atom.spaced ? ` ${atom.raw}` : atom.raw)).join('');
}
