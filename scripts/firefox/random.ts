/** Numbers between -1 and 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    // A linear congruential generator is random enough for weights without meaning.
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state / 0x7fffffff) * 2 - 1;
  };
}
