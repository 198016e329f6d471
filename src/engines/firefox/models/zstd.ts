/** Of a block, whatever it says. */
const MAX_BLOCK = 128 * 1024;
const MAGIC = 0xfd2fb528;

/**
 * The most that the Zstandard frames of a file can hold, from the heads of their blocks: what a frame says of its own
 * size need not be true, and a few bytes can stand for gigabytes. Undefined when the bytes are no such frames.
 */
export function mostContent(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let most = 0;
  while (at < bytes.length) {
    if (at + 6 > bytes.length || view.getUint32(at, true) !== MAGIC) return undefined;
    const descriptor = view.getUint8(at + 4);
    at += 5 + headerRest(descriptor);
    for (let isLast = false; !isLast;) {
      if (at + 3 > bytes.length) return undefined;
      const head = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      isLast = (head & 1) === 1;
      const kind = (head >> 1) & 3;
      const size = head >> 3;
      // Raw bytes, one byte repeated, or compressed; there is no other.
      if (kind === 3) return undefined;
      most += kind === 2 ? MAX_BLOCK : size;
      at += 3 + (kind === 1 ? 1 : size);
    }
    // The checksum of the content.
    if ((descriptor & 4) !== 0) at += 4;
    if (at > bytes.length) return undefined;
  }
  return most;
}

/** How long the window, the dictionary's id and the size of the content are behind a frame's descriptor. */
function headerRest(descriptor: number): number {
  const singleSegment = (descriptor & 0x20) !== 0;
  const window = singleSegment ? 0 : 1;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const content = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return window + dictionary + content;
}
