/** Cuts a byte stream into frames that each end in one delimiter byte. */
export class FrameReader {
  readonly #delimiter: number;
  readonly #limit: number;
  #parts: Buffer[] = [];
  #size = 0;

  /** @param limit bytes that one frame may have */
  constructor(delimiter: number, limit: number) {
    this.#delimiter = delimiter;
    this.#limit = limit;
  }

  /** The frames that `chunk` completes, without their delimiters. Undefined when one is longer than the limit. */
  push(chunk: Buffer): Buffer[] | undefined {
    const frames: Buffer[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(this.#delimiter, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      this.#size += part.length;
      if (this.#size > this.#limit) return undefined;
      this.#parts.push(part);
      if (end < 0) return frames;
      frames.push(this.#parts.length === 1 ? part : Buffer.concat(this.#parts));
      this.#parts = [];
      this.#size = 0;
      start = end + 1;
    }
  }
}
