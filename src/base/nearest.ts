/** Longer words are not compared: they are not typos, and the comparison is quadratic. */
const longestWord = 64;

/** The number of letters to add, drop, change or swap with the next one to turn one word into the other. */
function editDistance(left: string, right: string): number {
  let earlier: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwapped = i > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const changed = (row[j - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (earlier[j - 2] ?? 0) + 1 : changed;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped));
    }
    [earlier, row] = [row, next];
  }
  return row[right.length] ?? left.length;
}

/**
 * Suggestions for a mistyped `word`: at most a third of the letters differ, and no more than two; two swapped letters
 * count as one; case is ignored. The nearest come first, otherwise in the given order.
 */
export function nearestOf(word: string, candidates: Iterable<string>): readonly string[] {
  const wanted = word.toLowerCase();
  const allowed = Math.min(2, Math.floor(wanted.length / 3));
  if (wanted.length > longestWord) return [];
  const near: string[][] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= allowed) (near[distance] ??= []).push(candidate);
  }
  return near.flat();
}

/** Puts any suggestion before a hint: `Did you mean es? Languages: …`. */
export function withSuggestion(suggestion: string | undefined, hint: string): string {
  return suggestion === undefined ? hint : `Did you mean ${suggestion}? ${hint}`;
}

/** The best suggestion, see {@link nearestOf}; undefined without one. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return nearestOf(word, candidates)[0];
}
