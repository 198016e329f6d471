/** The parameters of the score, as sacreBLEU prints them: only scores with the same signature are comparable. */
export const CHRF_SIGNATURE = 'chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no';

/** The maximum length of n-grams, in code points. */
const ORDER = 6;
/** Weight of recall relative to precision. */
const BETA = 2;

/** White space as in Python, the language of the reference implementation; `\s` differs. */
const SPACE = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/**
 * The similarity of translations to references: chrF2 (Popović 2015), the F-score of common character n-grams without
 * white space. One score for all pairs together, not the mean. Memory does not grow with the number of pairs.
 */
export class Chrf {
  readonly #counts = Array.from({ length: ORDER }, () => ({ hypothesis: 0, reference: 0, matches: 0 }));

  /** Adds a translation; empty for a missing one. */
  add(hypothesis: string, reference: string): void {
    const found = new Characters(hypothesis);
    const wanted = new Characters(reference);
    for (const [i, counts] of this.#counts.entries()) {
      const order = i + 1;
      const available = wanted.countOf(order);
      // Does not count n-grams longer than the reference as errors.
      if (available === 0) continue;
      counts.hypothesis += found.countOf(order);
      counts.reference += available;
      counts.matches += countMatches(found, wanted, order);
    }
  }

  /** The score from 0 to 100; 0 if nothing was added. */
  get score(): number {
    const orders = this.#counts.filter(({ hypothesis, reference }) => hypothesis > 0 && reference > 0);
    const mean = (of: (counts: (typeof orders)[number]) => number): number =>
      orders.reduce((sum, counts) => sum + of(counts), 0) / orders.length;
    const precision = mean(({ matches, hypothesis }) => matches / hypothesis);
    const recall = mean(({ matches, reference }) => matches / reference);
    if (orders.length === 0 || precision + recall === 0) return 0;
    return (100 * (1 + BETA ** 2) * precision * recall) / (BETA ** 2 * precision + recall);
  }
}

/** The n-grams of a text. */
class Characters {
  readonly #text: string;
  /** The offset of each code point, and the end. */
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.#text = text.replace(SPACE, '');
    let at = 0;
    for (const character of this.#text) {
      this.#starts.push(at);
      at += character.length;
    }
    this.#starts.push(at);
  }

  countOf(order: number): number {
    return Math.max(0, this.#starts.length - order);
  }

  at(index: number, order: number): string {
    return this.#text.slice(this.#starts[index], this.#starts[index + order]);
  }
}

/** Counts each n-gram as often as both texts contain it. */
function countMatches(found: Characters, wanted: Characters, order: number): number {
  const open = new Map<string, number>();
  for (let i = 0; i < wanted.countOf(order); i++) {
    const gram = wanted.at(i, order);
    open.set(gram, (open.get(gram) ?? 0) + 1);
  }
  let matches = 0;
  for (let i = 0; i < found.countOf(order); i++) {
    const gram = found.at(i, order);
    const left = open.get(gram) ?? 0;
    if (left === 0) continue;
    open.set(gram, left - 1);
    matches++;
  }
  return matches;
}
