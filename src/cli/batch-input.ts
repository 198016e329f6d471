import { resolve } from 'node:path';
import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import { unsupportedEncoding, wideEncodingOf } from '../base/utf8.ts';
import { readInput } from '../documents/localization/open-file.ts';
import type { Terminal } from './terminal.ts';

/** Longer lines, and arrays, are refused: they have to be held in memory. */
const MAX_LENGTH = 64 * 1024 * 1024;

/**
 * The texts of a file or of standard input (`-`, or no name): its lines, or the strings of a JSON array when the whole
 * content is one. Lines of standard input come as they arrive.
 *
 * @throws DragomanError `usage`, `unreadable_input` with the line, `limit_exceeded`, `interrupted`.
 */
export async function* readBatch(
  name: string | undefined,
  terminal: Terminal,
): AsyncGenerator<readonly string[]> {
  if (name === undefined && terminal.stdin.isTTY) {
    throw new DragomanError('usage', 'no texts', { hint: 'Name a file, or pipe them in.' });
  }
  const isFile = name !== undefined && name !== '-';
  const path = isFile ? resolve(terminal.cwd, name) : 'standard input';
  const lines = new LineReader(path);
  if (isFile) {
    lines.add(await readInput(path));
  } else {
    for await (const chunk of chunksOf(terminal)) {
      lines.add(chunk);
      const complete = lines.take();
      if (complete.length > 0) yield complete;
    }
  }
  const rest = lines.finish();
  if (rest.length > 0) yield rest;
}

async function* chunksOf({ stdin, signal }: Terminal): AsyncGenerator<Uint8Array> {
  const stop = (): void => void stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) {
      const data: string | Uint8Array = chunk;
      yield typeof data === 'string' ? Buffer.from(data) : data;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  throwIfAborted(signal, 'interrupted while reading standard input');
}

class LineReader {
  readonly #path: string;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #complete: string[] = [];
  #open = '';
  #line = 1;
  /** The first bytes, until they are enough to detect the encoding. */
  #head: Uint8Array | undefined = new Uint8Array();
  /** Whether the content may be a JSON array, which can only be decided when all of it has arrived. */
  #mayBeArray: boolean | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  add(bytes: Uint8Array): void {
    const [first = '', ...more] = this.#decode(bytes, true).split('\n');
    this.#open += first;
    for (const line of more) {
      this.#complete.push(this.#open);
      this.#open = line;
    }
    this.#line += more.length;
    if (this.#open.length > MAX_LENGTH) {
      throw new DragomanError('limit_exceeded', 'the line is longer than 64 Mi characters').inFile(
        this.#path,
      );
    }
  }

  /** Lines that are there and complete. */
  take(): readonly string[] {
    this.#mayBeArray ??= startsArray([...this.#complete, this.#open]);
    if (this.#mayBeArray !== false) return [];
    const lines = this.#complete;
    this.#complete = [];
    return lines;
  }

  finish(): readonly string[] {
    this.#open += this.#decode(new Uint8Array(), false);
    const lines = this.#open === '' ? this.#complete : [...this.#complete, this.#open];
    if (this.#mayBeArray === false || startsArray(lines) !== true) return lines;
    return parseArray(lines.join('\n'), this.#path) ?? lines;
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    if (!this.#head) return this.#decodeUtf8(bytes, stream);
    const head = Buffer.concat([this.#head, bytes]);
    // A short line of UTF-8 is not kept waiting for the next one.
    const mayBeWide = head.length < 2 || head[0] === 0 || head[1] === 0 || (head[0] ?? 0) >= 0xfe;
    this.#head = stream && mayBeWide && head.length < 4 ? head : undefined;
    if (this.#head) return '';
    const wide = wideEncodingOf(head);
    if (wide) throw unsupportedEncoding(wide).inFile(this.#path);
    return this.#decodeUtf8(head, stream);
  }

  #decodeUtf8(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch (cause) {
      const at = { file: this.#path, line: this.#line, column: 1 };
      throw new DragomanError('unreadable_input', 'not UTF-8, in this line or one of the next', {
        at,
        cause,
      });
    }
  }
}

/** Undefined while there is only white space. */
function startsArray(lines: readonly string[]): boolean | undefined {
  const first = lines.find((line) => line.trim() !== '');
  return first === undefined ? undefined : first.trim().startsWith('[');
}

/** Undefined for a text that only begins like an array. */
function parseArray(text: string, path: string): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.trim());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) return undefined;
  return value.map((entry: unknown, i) => {
    if (typeof entry === 'string') return entry;
    throw new DragomanError('unreadable_input', `entry ${i + 1} of the array is not a string`).inFile(path);
  });
}
