/** Sets of keys by position, one bit each, so their size does not depend on the number of failures. */

/** Base64 of the set; null when it is empty. */
export function packKeys(places: Iterable<number>, total: number): string | null {
  const bits = Buffer.alloc(Math.ceil(total / 8));
  let any = false;
  for (const place of places) {
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
    any = true;
  }
  return any ? bits.toString('base64') : null;
}

/** How many keys are in any of the sets. */
export function countUnion(sets: readonly (string | null)[], total: number): number {
  const union = Buffer.alloc(Math.ceil(total / 8));
  for (const set of sets) {
    if (set === null) continue;
    const bits = Buffer.from(set, 'base64');
    for (let i = 0; i < union.length; i++) union[i] = (union[i] ?? 0) | (bits[i] ?? 0);
  }
  let count = 0;
  for (let byte of union) for (; byte > 0; byte &= byte - 1) count++;
  return count;
}
