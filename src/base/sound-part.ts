/**
 * Makes the result from as many elements as possible: from all, or from the halves, quarters and so on that are valid
 * together with the earlier ones.
 *
 * @param make returns undefined if the result for these elements is invalid
 * @param most maximum number of trials if the elements are not all valid together
 */
export function makeFromValidPart<Thing, Made>(
  things: readonly Thing[],
  make: (some: readonly Thing[]) => Made | undefined,
  most = 60,
): Made | undefined {
  let best = make(things);
  if (best !== undefined) return best;
  let kept: readonly Thing[] = [];
  let left = most;
  const addHalves = (some: readonly Thing[]): void => {
    if (some.length < 2) return;
    const middle = some.length >> 1;
    for (const half of [some.slice(0, middle), some.slice(middle)]) {
      if (left-- <= 0) return;
      const made = make([...kept, ...half]);
      if (made === undefined) addHalves(half);
      else [best, kept] = [made, [...kept, ...half]];
    }
  };
  addHalves(things);
  return best;
}
