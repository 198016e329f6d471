/** So often parts are tried, when all things together are not sound. */
const MAX_TRIALS = 60;

/**
 * What is made of as many of the things as possible: of all, or of the halves, quarters and so on that are sound together
 * with those before them.
 *
 * @param make undefined where what it makes of these things is not sound
 */
export function makeOfSoundPart<Thing, Made>(
  things: readonly Thing[],
  make: (some: readonly Thing[]) => Made | undefined,
): Made | undefined {
  let best = make(things);
  if (best !== undefined) return best;
  let kept: readonly Thing[] = [];
  let left = MAX_TRIALS;
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
