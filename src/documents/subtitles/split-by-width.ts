import type { Atom } from './unbreakable-runs.ts';

/** Where parts of a text may begin, and how much each should have. */
export interface CutPlan {
  /** Width that each part should have, in proportion. */
  readonly shares: readonly number[];
  /** Whether a part may begin with this atom. */
  readonly mayCut: (index: number, part: number) => boolean;
}

/**
 * Cuts atoms into as many parts as there are shares, each near its share of the width, rather behind a comma than
 * elsewhere. Undefined when there are not that many places to cut. Linear.
 */
export function cutByWidth(atoms: readonly Atom[], plan: CutPlan): readonly (readonly Atom[])[] | undefined {
  const starts = startsOf(atoms);
  const total = starts.at(-1) ?? 0;
  const whole = plan.shares.reduce((sum, share) => sum + share, 0) || 1;
  const cuts = [0];
  let shared = 0;
  for (let part = 1; part < plan.shares.length; part++) {
    shared += plan.shares[part - 1] ?? 0;
    const room = atoms.length - (plan.shares.length - part);
    const cut = nearestCut(atoms, starts, {
      target: (total * shared) / whole,
      from: (cuts.at(-1) ?? 0) + 1,
      to: room,
      mayCut: (index) => plan.mayCut(index, part),
    });
    if (cut === undefined) return undefined;
    cuts.push(cut);
  }
  return cuts.map((cut, i) => atoms.slice(cut, cuts[i + 1] ?? atoms.length));
}

interface Search {
  readonly target: number;
  readonly from: number;
  readonly to: number;
  readonly mayCut: (index: number) => boolean;
}

/** A clause that ends here is worth so many characters of balance. */
const CLAUSE_BONUS = 4;

function nearestCut(atoms: readonly Atom[], starts: readonly number[], search: Search): number | undefined {
  let best: number | undefined;
  let bestCost = Infinity;
  for (let i = search.from; i <= search.to; i++) {
    const distance = (starts[i] ?? 0) - search.target;
    if (distance - CLAUSE_BONUS > bestCost) break;
    if (!search.mayCut(i)) continue;
    const bonus = /[,;:.!?…、。，！？؟،]["'”’»)]*$/u.test(atoms[i - 1]?.words ?? '') ? CLAUSE_BONUS : 0;
    const cost = Math.abs(distance) - bonus;
    if (cost < bestCost) [best, bestCost] = [i, cost];
  }
  return best;
}

/** Width before each atom, and at the end the whole. */
export function startsOf(atoms: readonly Atom[]): readonly number[] {
  const starts = [0];
  let width = 0;
  for (const atom of atoms) {
    width += atom.width + (atom.spaced ? 1 : 0);
    starts.push(width);
  }
  return starts;
}
