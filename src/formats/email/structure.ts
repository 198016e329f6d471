import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { breakAt, lineEndAt } from '../lines.ts';
import {
  beforeBreak,
  fieldOf,
  type MimeHeader,
  parameterOf,
  readHeader,
  readStructured,
  type Structured,
} from './header.ts';

/** A message or one of its parts. Offsets are bytes. */
export interface MimePart {
  /** Part numbers from the message down, as in IMAP: `2.1`; empty for the message itself. */
  readonly path: string;
  readonly header: MimeHeader;
  /** The type in lower case; `text/plain` by default. */
  readonly type: string;
  readonly contentType: Structured | undefined;
  readonly body: Span;
  /** Empty unless the part is a multipart; nested messages are not parsed. */
  readonly children: readonly MimePart[];
}

/** A defect that mail programs tolerate. */
export interface MessageWarning {
  readonly offset: number;
  readonly message: string;
}

interface MimeStructure {
  readonly root: MimePart;
  readonly warnings: readonly MessageWarning[];
}

/** Deeper nesting is refused: no mail program writes it. */
const MAX_DEPTH = 50;

/** More parts are refused: each takes memory beyond its bytes. */
const MAX_PARTS = 10_000;

/** Some programs write a byte order mark before a saved message. */
const BOM = '\u00ef\u00bb\u00bf';

/**
 * Finds the parts of a message (RFC 5322, RFC 2046), each with its exact place. `text` holds one byte per character.
 *
 * A multipart without its closing boundary is accepted with a warning, as mail programs do.
 *
 * @throws DragomanError `unreadable_input` (no header, or a multipart whose boundary is missing or does not occur) and
 * `limit_exceeded` (deep nesting), with the position
 */
export function readStructure(text: string): MimeStructure {
  const reader = new StructureReader(text);
  const root = reader.read(text.startsWith(BOM) ? BOM.length : 0, '', 'text/plain').part;
  if (root.header.fields.length > 0) return { root, warnings: reader.warnings };
  throw new DragomanError('unreadable_input', 'this is not an e-mail: it has no header', {
    at: { line: 1, column: 1 },
    hint: 'An e-mail begins with fields such as "Subject: Hello".',
  });
}

interface Read {
  readonly part: MimePart;
  /** The delimiter that ended the part; undefined at the end of the message. */
  readonly ended: Delimiter | undefined;
}

class StructureReader {
  readonly warnings: MessageWarning[] = [];
  readonly #text: string;
  readonly #boundaries: OpenBoundaries;
  #parts = 0;

  constructor(text: string) {
    this.#text = text;
    this.#boundaries = new OpenBoundaries(text);
  }

  read(start: number, path: string, defaultType: string): Read {
    if (++this.#parts > MAX_PARTS) {
      throw new DragomanError('limit_exceeded', `the message has more than ${MAX_PARTS} parts`, {
        at: positionAt(this.#text, start),
      });
    }
    const header = readHeader(this.#text, start, (at) => this.#boundaries.at(at) !== undefined);
    const field = fieldOf(header, 'content-type');
    const contentType = field && readStructured(this.#text, field.value);
    const type = contentType && contentType.value !== '' ? contentType.value : defaultType;
    const base = { path, header, type, contentType };
    if (type.startsWith('multipart/')) return this.#readMultipart(base);
    const ended = this.#boundaries.find(header.body);
    const end = Math.max(header.body, ended ? ended.contentEnd : this.#text.length);
    return { part: { ...base, body: { start: header.body, end }, children: [] }, ended };
  }

  #readMultipart(base: Omit<MimePart, 'body' | 'children'>): Read {
    const { header, path, type } = base;
    const level = this.#boundaries.depth;
    const boundary = this.#requireBoundary(base);
    this.#boundaries.open(boundary);
    let delimiter = this.#boundaries.find(header.body);
    if (delimiter?.level !== level || delimiter.closes) {
      throw this.#broken(base, `no part of the multipart begins with the boundary "${boundary}"`);
    }
    const childType = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    const children: MimePart[] = [];
    while (delimiter?.level === level && !delimiter.closes) {
      const childPath: string = `${path}${path === '' ? '' : '.'}${children.length + 1}`;
      const { part, ended }: Read = this.read(delimiter.next, childPath, childType);
      children.push(part);
      delimiter = ended;
    }
    this.#boundaries.close();
    if (delimiter?.level === level) delimiter = this.#boundaries.find(delimiter.next);
    else {
      const offset = delimiter ? delimiter.start : this.#text.length;
      this.warnings.push({ offset, message: `the closing boundary "--${boundary}--" is missing` });
    }
    const end = delimiter ? delimiter.contentEnd : this.#text.length;
    return { part: { ...base, body: { start: header.body, end }, children }, ended: delimiter };
  }

  #requireBoundary(base: Omit<MimePart, 'body' | 'children'>): string {
    const boundary = base.contentType && parameterOf(base.contentType, 'boundary')?.trimEnd();
    if (boundary === undefined || boundary === '') {
      throw this.#broken(base, 'the multipart has no boundary parameter');
    }
    if (this.#boundaries.has(boundary)) {
      throw this.#broken(base, `the boundary "${boundary}" already belongs to an enclosing multipart`);
    }
    if (this.#boundaries.depth >= MAX_DEPTH) {
      throw new DragomanError('limit_exceeded', `parts are nested deeper than ${MAX_DEPTH} levels`, {
        at: this.#positionOf(base),
      });
    }
    return boundary;
  }

  #broken(base: Omit<MimePart, 'body' | 'children'>, message: string): DragomanError {
    return new DragomanError('unreadable_input', message, {
      at: this.#positionOf(base),
      hint: 'The message is damaged or cut off: export it again from the mail program.',
    });
  }

  #positionOf({ header }: Omit<MimePart, 'body' | 'children'>): ReturnType<typeof positionAt> {
    return positionAt(this.#text, fieldOf(header, 'content-type')?.value.start ?? header.body);
  }
}

/** A line that begins or ends a part of an open multipart. Offsets are bytes. */
interface Delimiter {
  /** The depth of its multipart among the open ones: 0 is the outermost. */
  readonly level: number;
  /** Whether the delimiter ends the multipart: `--boundary--`. */
  readonly closes: boolean;
  /** The offset of the line. */
  readonly start: number;
  /** The end of the content before it: the preceding line break belongs to the delimiter. */
  readonly contentEnd: number;
  /** The offset of the next line. */
  readonly next: number;
}

/** The boundaries of the open multiparts at a place of a message, outermost first. */
class OpenBoundaries {
  readonly #text: string;
  readonly #levels = new Map<string, number>();
  readonly #open: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get depth(): number {
    return this.#open.length;
  }

  has(boundary: string): boolean {
    return this.#levels.has(boundary);
  }

  open(boundary: string): void {
    this.#levels.set(boundary, this.#open.length);
    this.#open.push(boundary);
  }

  close(): void {
    this.#levels.delete(this.#open.pop() ?? '');
  }

  /** The delimiter at `start`, if the line is one. Trailing blanks are ignored (RFC 2046). */
  at(start: number): Delimiter | undefined {
    if (!this.#text.startsWith('--', start)) return undefined;
    const end = lineEndAt(this.#text, start);
    const line = this.#text.slice(start + 2, end).replace(/(?<![ \t])[ \t]+$/, '');
    const opens = this.#levels.get(line) ?? -1;
    const closing = line.endsWith('--') ? (this.#levels.get(line.slice(0, -2)) ?? -1) : -1;
    const level = Math.max(opens, closing);
    if (level < 0) return undefined;
    return {
      level,
      closes: closing > opens,
      start,
      contentEnd: beforeBreak(this.#text, start),
      next: end + breakAt(this.#text, end),
    };
  }

  /** The first delimiter at or after `start`, which begins a line. */
  find(start: number): Delimiter | undefined {
    let at = start;
    while (at !== -1 && at < this.#text.length) {
      const delimiter = this.at(at);
      if (delimiter) return delimiter;
      const feed = this.#text.indexOf('\n--', at);
      at = feed === -1 ? -1 : feed + 1;
    }
    return undefined;
  }
}
