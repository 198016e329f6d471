import { areVariants } from '../languages/locale.ts';
import { fallbackCodes } from './chain-rules.ts';
import type { LanguagePair } from './engine.ts';

/** More than one pivot language would lose too much of the meaning. */
const MAX_HOPS = 2;

/**
 * The shortest route from source to target, at most two steps; among equally short ones the first in the given order.
 * For a regional target, a route to that region is better than one to its language in general, even through a pivot.
 * Between variants of one language, only a direction to exactly that target counts: a pivot would change every sentence
 * for a few words.
 */
export function findRoute<T extends LanguagePair>(
  steps: readonly T[],
  source: string,
  target: string,
): readonly T[] | undefined {
  for (const to of areVariants(source, target) ? [target] : fallbackCodes(target)) {
    for (const from of fallbackCodes(source)) {
      const route = from === to ? undefined : shortest(steps, from, to);
      if (route) return route;
    }
  }
  return undefined;
}

function shortest<T extends LanguagePair>(
  steps: readonly T[],
  from: string,
  to: string,
): readonly T[] | undefined {
  let paths = steps.filter((step) => step.source === from).map((step): readonly T[] => [step]);
  const visited = new Set([from]);
  const mostHops = areVariants(from, to) ? 1 : MAX_HOPS;
  for (let hops = 1; hops <= mostHops; hops++) {
    const found = paths.find((path) => path.at(-1)?.target === to);
    if (found) return found;
    const longer: (readonly T[])[] = [];
    for (const path of paths) {
      const at = path.at(-1)?.target ?? '';
      if (visited.has(at)) continue;
      visited.add(at);
      for (const step of steps)
        if (step.source === at && !visited.has(step.target)) longer.push([...path, step]);
    }
    paths = longer;
  }
  return undefined;
}

/** Every pair with a route. */
export function pairsOf(steps: readonly LanguagePair[]): LanguagePair[] {
  const pairs: LanguagePair[] = [];
  const sources = [...new Set(steps.map((step) => step.source))].sort();
  const targets = [...new Set(steps.map((step) => step.target))].sort();
  for (const source of sources) {
    for (const target of targets) {
      if (source !== target && shortest(steps, source, target)) pairs.push({ source, target });
    }
  }
  return pairs;
}
