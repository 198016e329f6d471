/** The number at the beginning of a binary shortlist. */
const MAGIC = 0xf11a48d5013417f5n;
const HEADER = 48;

/**
 * A lexical shortlist: the pieces that a translation may consist of. These are the first `frequent` pieces, and
 * for each piece of the source the pieces that `targetsOf` returns, the same number for every piece.
 */
export function writeShortlist(
  vocabulary: number,
  frequent: number,
  targetsOf: (piece: number) => readonly number[],
): Buffer {
  const lists = Array.from({ length: vocabulary }, (_, piece) => targetsOf(piece));
  const per = lists[0]?.length ?? 0;
  const header = Buffer.alloc(HEADER);
  const sizes = [BigInt(frequent), BigInt(per), BigInt(vocabulary + 1), BigInt(vocabulary * per)];
  // The checksum between the number and the sizes is not checked by any reader.
  for (const [i, value] of [MAGIC, 0n, ...sizes].entries()) header.writeBigUInt64LE(value, i * 8);
  const offsets = Buffer.alloc((vocabulary + 1) * 8);
  for (let i = 0; i <= vocabulary; i++) offsets.writeBigUInt64LE(BigInt(i * per), i * 8);
  const targets = Buffer.alloc(vocabulary * per * 4);
  for (const [i, target] of lists.flat().entries()) targets.writeUInt32LE(target, i * 4);
  return Buffer.concat([header, offsets, targets]);
}
