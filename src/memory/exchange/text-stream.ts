import { DragomanError } from '../../base/errors.ts';
import { unsupportedEncoding, wideEncodingOf } from '../../base/utf8.ts';

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Decodes a file in UTF-8 or UTF-16 in pieces, without its byte order mark.
 *
 * @throws DragomanError `unreadable_input` with the line of invalid bytes
 */
export async function* decodeChunks(chunks: Chunks): AsyncGenerator<string> {
  let start: Uint8Array = new Uint8Array();
  let decoding: Decoding | undefined;
  for await (const chunk of chunks) {
    if (decoding) {
      yield decoding.take(chunk);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < 4) continue;
    decoding = new Decoding(charsetOf(start));
    yield decoding.take(start);
  }
  decoding ??= new Decoding(charsetOf(start));
  yield decoding.finish(start.length < 4 ? start : new Uint8Array());
}

/** XML documents and tables begin with an ASCII character. */
function charsetOf(start: Uint8Array): string {
  const wide = wideEncodingOf(start);
  if (wide?.name.startsWith('UTF-32') === true) throw unsupportedEncoding(wide);
  const [a, b] = start;
  if ((a === 0xff && b === 0xfe) || (a !== undefined && a > 0 && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== undefined && b > 0)) return 'utf-16be';
  return 'utf-8';
}

class Decoding {
  readonly #charset: string;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #lines = 1;

  constructor(charset: string) {
    this.#charset = charset;
    this.#decoder = new TextDecoder(charset, { fatal: true });
  }

  take(chunk: Uint8Array): string {
    return this.#decode(chunk, true);
  }

  finish(chunk: Uint8Array): string {
    return this.#decode(chunk, false);
  }

  #decode(chunk: Uint8Array, stream: boolean): string {
    let text: string;
    try {
      text = this.#decoder.decode(chunk, { stream });
    } catch (cause) {
      const lossy = new TextDecoder(this.#charset).decode(chunk);
      const before = lossy.slice(0, Math.max(0, lossy.indexOf('\ufffd')));
      throw new DragomanError('unreadable_input', `the file is not in ${this.#charset.toUpperCase()}`, {
        at: { line: this.#lines + linesIn(before), column: before.length - before.lastIndexOf('\n') },
        hint: 'Convert the file to UTF-8.',
        cause,
      });
    }
    this.#lines += linesIn(text);
    return text;
  }
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
