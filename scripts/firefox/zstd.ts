/** The maximum size of a block. */
const BLOCK = 128 * 1024;

/**
 * A Zstandard frame with uncompressed content: Node has no Zstandard compressor before version 22, and the
 * format does not require compression.
 */
export function packZstd(content: Uint8Array): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32LE(0xfd2fb528, 0);
  // One segment, the size of the content in eight bytes, no checksum, no dictionary.
  head.writeUInt8(0b1110_0000, 4);
  head.writeBigUInt64LE(BigInt(content.length), 5);
  const parts: Uint8Array[] = [head];
  for (let at = 0; at === 0 || at < content.length; at += BLOCK) {
    const block = content.subarray(at, at + BLOCK);
    const isLast = at + BLOCK >= content.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    parts.push(header, block);
  }
  return Buffer.concat(parts);
}
