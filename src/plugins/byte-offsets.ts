/** Finds the places in a text that a program names by UTF-8 bytes. */
export class ByteOffsets {
  readonly #bytes: number;
  /** By byte: the UTF-16 offset of the character that begins there, or -1 inside of one. Undefined where all are ASCII. */
  readonly #places: Int32Array | undefined;

  constructor(text: string) {
    this.#bytes = Buffer.byteLength(text);
    this.#places = this.#bytes === text.length ? undefined : placesIn(text, this.#bytes);
  }

  /** The UTF-16 offset; undefined for what is no number of bytes before a character or the end. */
  find(byte: number): number | undefined {
    if (!Number.isInteger(byte) || byte < 0 || byte > this.#bytes) return undefined;
    if (!this.#places) return byte;
    const place = this.#places[byte] ?? -1;
    return place < 0 ? undefined : place;
  }
}

function placesIn(text: string, bytes: number): Int32Array {
  const places = new Int32Array(bytes + 1).fill(-1);
  let byte = 0;
  for (let at = 0; at < text.length;) {
    places[byte] = at;
    const code = text.codePointAt(at) ?? 0;
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  places[bytes] = text.length;
  return places;
}
