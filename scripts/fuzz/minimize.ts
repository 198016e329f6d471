/** More attempts would make a finding smaller, but not clearer. */
const MOST_ATTEMPTS = 2_000;

/** A smaller text that still has the problem, found by removing pieces. */
export async function minimize(
  text: string,
  isStill: (text: string) => Promise<boolean>,
  most = MOST_ATTEMPTS,
): Promise<string> {
  let smallest = text;
  let attempts = 0;
  for (let size = text.length >> 1; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.length && attempts < most;) {
      attempts++;
      const shorter = smallest.slice(0, at) + smallest.slice(at + size);
      if (await isStill(shorter)) smallest = shorter;
      else at += size;
    }
  }
  return smallest;
}
