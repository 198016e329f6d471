import { parse, preprocess, type postprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { subtokenize } from 'micromark-util-subtokenize';

type Extension = ReturnType<typeof gfm>;
/** The parser's tables: building them takes longer than parsing a sentence. */
export type Constructs = ReturnType<typeof parse>['constructs'];
export type MarkdownEvent = ReturnType<typeof postprocess>[number];
export type MarkdownToken = MarkdownEvent[1];

/** The definitions that inline content may refer to. */
export interface Labels {
  readonly definitions: readonly string[];
  readonly footnotes: readonly string[];
}

/** CommonMark with GitHub's extensions, and others. */
export function constructsWith(extensions: readonly Extension[]): Constructs {
  return parse({ extensions: [gfm(), ...extensions] }).constructs;
}

/**
 * An empty line above a line that is not indented and does not begin a list, quote or note: everything else that is
 * open ends there.
 */
const GAP = /\n[ \t]*\r?\n(?=[^\s\d*+>[-])/g;

/** A list item that is not indented and not a thematic break: a list may have a million items and no empty line. */
const ITEM = /\n(?=(?:[-+*]|\d{1,9}[.)])[ \t]+[^\s\d*+_>-])/g;

/** A text in a paragraph, regardless of the line above it. */
const PROBE = 'x';

interface PartStart {
  readonly line: number;
  readonly offset: number;
}

interface KnownNames extends Labels {
  /** Names that MDX modules import: repeating an import is an error. */
  readonly imports: readonly string[];
}

interface BlockPart {
  readonly events: MarkdownEvent[];
  /** The names known after the part, and the start of the next part. */
  readonly known: KnownNames;
  readonly next: PartStart | undefined;
}

/**
 * Reads the blocks of a document in parts; the events are the same as for the whole. A part ends after an empty line if
 * the parser confirms that no container is open: a probe letter inserted there must become a paragraph outside all
 * containers. The next line is then parsed like the first of a document. The same holds for a list item outside other
 * containers, but each part starts another list.
 */
export class BlockReader {
  readonly #body: string;
  readonly #constructs: Constructs;
  readonly #size: number;
  /** The end of each part, by its start. */
  readonly #ends = new Map<number, number>();

  /** @param size minimum number of characters in a part, which is longer if no boundary follows */
  constructor(body: string, constructs: Constructs, size: number) {
    this.#body = body;
    this.#constructs = constructs;
    this.#size = size;
  }

  /**
   * @param labels of the document that the body is a part of
   * @param use receives the events of each part, in order
   * @returns the labels, including those of the body
   */
  read(labels: Labels, use?: (events: MarkdownEvent[]) => void): Labels {
    let known: KnownNames = { ...labels, imports: [] };
    for (let from: PartStart | undefined = { line: 1, offset: 0 }; from;) {
      const part: BlockPart = this.#readPart(from, known);
      use?.(part.events);
      known = part.known;
      from = part.next;
    }
    return { definitions: known.definitions, footnotes: known.footnotes };
  }

  #readPart(from: PartStart, known: KnownNames): BlockPart {
    const { length } = this.#body;
    for (const end of this.#endsFrom(from.offset)) {
      const part = this.#tryTo(end, from, known);
      if (!part) continue;
      this.#ends.set(from.offset, end);
      return part;
    }
    this.#ends.set(from.offset, length);
    return { ...this.#readTo(length, from, known), next: undefined };
  }

  /** Candidate boundaries within the body. Failed probes read at most twice the body's length. */
  *#endsFrom(start: number): Generator<number> {
    const { length } = this.#body;
    let end = this.#ends.get(start);
    if (end !== undefined) {
      if (end < length) yield end;
      return;
    }
    for (let size = this.#size; start + size < length; size = 2 * (end - start)) {
      const ends = [GAP, ITEM].flatMap((pattern) => {
        pattern.lastIndex = start + size;
        return pattern.test(this.#body) ? pattern.lastIndex : [];
      });
      if (ends.length === 0) return;
      end = Math.min(...ends);
      yield end;
    }
  }

  /** Undefined if a container is open. */
  #tryTo(end: number, from: PartStart, known: KnownNames): BlockPart | undefined {
    try {
      const { events, known: behind } = this.#readTo(end, from, known);
      const at = events.findIndex(([type, { start }]) => type === 'enter' && start.offset === end);
      const [, first] = events[at] ?? [];
      if (!first || !isFree(events, at, this.#markerAt(end) !== '')) return undefined;
      events.length = at;
      return { events, known: behind, next: { line: first.start.line, offset: end } };
    } catch {
      // Braces or tags of MDX are open. Parsing the whole document reports any error in them.
      return undefined;
    }
  }

  #markerAt(offset: number): string {
    return /^(?:[-+*]|\d{1,9}[.)])[ \t]/.exec(this.#body.slice(offset, offset + 11))?.[0] ?? '';
  }

  /** Reads to the end of the body, or to an earlier boundary, where the probe is inserted. */
  #readTo(end: number, from: PartStart, known: KnownNames): Omit<BlockPart, 'next'> {
    const parser = Object.assign(parse(), {
      constructs: this.#constructs,
      defined: new Names(known.definitions),
      gfmFootnotes: new Names(known.footnotes),
      definedModuleSpecifiers: [...known.imports],
    });
    const text =
      this.#body.slice(from.offset, end) + (end < this.#body.length ? this.#markerAt(end) + PROBE : '');
    const tokenizer = parser.document({ ...from, column: 1 });
    const chunks = preprocess();
    // The parser strips a byte order mark only at the beginning, and does not count it.
    chunks('');
    const events = tokenizer.write(chunks(text, undefined, true));
    // Replaces the document's lines with blocks.
    subtokenize(events);
    const { defined, gfmFootnotes, definedModuleSpecifiers } = parser;
    return {
      events,
      known: { definitions: defined, footnotes: gfmFootnotes, imports: definedModuleSpecifiers },
    };
  }
}

/** The parser searches this list for each reference; documents may have thousands of each. */
class Names extends Array<string> {
  readonly #all: Set<string>;

  constructor(known: readonly string[]) {
    super();
    this.#all = new Set(known);
    for (const name of this.#all) super.push(name);
  }

  override includes(name: string): boolean {
    return this.#all.has(name);
  }

  override push(name: string): number {
    if (!this.#all.has(name)) super.push(name);
    this.#all.add(name);
    return this.length;
  }
}

/**
 * Whether the probe starts the block that it would start in a separate document: a paragraph outside all containers, or
 * such a list item.
 */
function isFree(events: readonly MarkdownEvent[], at: number, isItem: boolean): boolean {
  const open: string[] = [];
  for (const [type, { type: name }] of events.slice(0, at)) {
    if (type === 'enter') open.push(name);
    else open.pop();
  }
  const name: string = events[at]?.[1].type ?? '';
  const isNext = name === 'listItemPrefix' && open.length === 1 && isList(open[0]);
  return isItem ? isNext || (open.length === 0 && isList(name)) : open.length === 0 && name === 'content';
}

function isList(name: string | undefined): boolean {
  return name === 'listOrdered' || name === 'listUnordered';
}
