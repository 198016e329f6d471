import { SaxesParser } from 'saxes';
import { DragomanError } from './errors.ts';
import type { Position } from './span.ts';

/** Receives the parts of a document, in order. Comments and instructions are skipped. */
export interface XmlListener {
  begin(name: string, attributes: Readonly<Record<string, string>>): void;
  end(name: string): void;
  /** Text or CDATA, decoded; a text may come in several parts. */
  text(text: string): void;
}

/** Limits time and memory. */
const MAX_DEPTH = 50;
/** The longest piece without a tag. */
const MAX_PIECE = 2_000_000;
/** Much smaller than `MAX_PIECE`, so that a piece cannot exceed the limit by much. */
const CHUNK_SIZE = 65_536;

/**
 * Reads untrusted XML, with limits on its depth and on the length of texts. Document types are skipped, and declared
 * entities are refused: nothing is expanded or fetched.
 */
export class XmlReader {
  readonly #parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false });
  /** Offset of the last event: later input is buffered. */
  #heard = 0;
  #depth = 0;

  /** @param what the kind of file, for messages: `translation memory` */
  constructor(what: string, listener: XmlListener) {
    const parser = this.#parser;
    const hear = (): void => void (this.#heard = parser.position);
    const text = (part: string): void => {
      hear();
      listener.text(part);
    };
    parser.on('error', (error) => this.fail(error.message.replace(/^\d+:\d+: /, '')));
    parser.on('doctype', (type) => {
      hear();
      if (/<!ENTITY/i.test(type)) this.fail(`the file declares entities, which no ${what} needs`);
    });
    parser.on('opentag', ({ name, attributes }) => {
      hear();
      if (++this.#depth > MAX_DEPTH) {
        throw new DragomanError('limit_exceeded', `elements are nested more than ${MAX_DEPTH} deep`, {
          at: this.at,
        });
      }
      listener.begin(name, attributes);
    });
    parser.on('closetag', ({ name }) => {
      hear();
      listener.end(name);
      this.#depth--;
    });
    parser.on('text', text);
    parser.on('cdata', text);
    parser.on('comment', hear);
    parser.on('processinginstruction', hear);
  }

  /** The depth, from 1, of the element that begins or ends. */
  get depth(): number {
    return this.#depth;
  }

  get at(): Position {
    return { line: this.#parser.line, column: this.#parser.columnIndex + 1 };
  }

  /** @throws DragomanError `unreadable_input` or `limit_exceeded` with line and column, and what the listener throws */
  write(text: string): void {
    this.#parser.write(text);
    if (this.#parser.position - this.#heard > MAX_PIECE) this.refuse('a text', MAX_PIECE);
  }

  /** @throws like {@link write} */
  close(): void {
    this.#parser.close();
  }

  /** Reads a whole document. @throws like {@link write} */
  read(text: string): void {
    for (let at = 0; at < text.length; at += CHUNK_SIZE) this.write(text.slice(at, at + CHUNK_SIZE));
    this.close();
  }

  fail(message: string): never {
    throw new DragomanError('unreadable_input', message, { at: this.at });
  }

  refuse(what: string, most: number): never {
    throw new DragomanError('limit_exceeded', `${what} has more than ${most} characters`, { at: this.at });
  }
}
