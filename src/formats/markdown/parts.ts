import { parse, preprocess, type postprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { subtokenize } from 'micromark-util-subtokenize';

type Extension = ReturnType<typeof gfm>;
/** What a parser knows: putting it together takes longer than reading a sentence. */
export type Constructs = ReturnType<typeof parse>['constructs'];
export type MarkdownEvent = ReturnType<typeof postprocess>[number];
export type MarkdownToken = MarkdownEvent[1];

/** What the inline content of a document may refer to. */
export interface Labels {
  readonly definitions: readonly string[];
  readonly footnotes: readonly string[];
}

/** CommonMark with the extensions of GitHub, and others. */
export function constructsWith(extensions: readonly Extension[]): Constructs {
  return parse({ extensions: [gfm(), ...extensions] }).constructs;
}

/** An empty line above one that is not indented and begins no list, quote or note: these close what is open otherwise. */
const GAP = /\n[ \t]*\r?\n(?=[^\s\d*+>[-])/g;

/** An item of a list that is not indented, and no line of signs: a list may have a million of them and no empty line. */
const ITEM = /\n(?=(?:[-+*]|\d{1,9}[.)])[ \t]+[^\s\d*+_>-])/g;

/** A line of a paragraph, whatever stands above it. */
const PROBE = 'x';

interface PartStart {
  readonly line: number;
  readonly offset: number;
}

interface KnownNames extends Labels {
  /** Names that modules of MDX import: a second time is an error. */
  readonly imports: readonly string[];
}

interface BlockPart {
  readonly events: MarkdownEvent[];
  /** What is known behind it, and where the next one begins. */
  readonly known: KnownNames;
  readonly next: PartStart | undefined;
}

/**
 * Reads the blocks of a document in parts, with the events that it has as a whole. A part ends behind an empty line where
 * the parser itself says that nothing is open: a letter that is put there is a paragraph outside of all containers. So
 * the line that does stand there is read as the first one of a document is. So is an item of a list that is in no other
 * container, which is found in the same way: to the parts, it begins another list.
 */
export class BlockReader {
  readonly #body: string;
  readonly #constructs: Constructs;
  readonly #size: number;
  /** Where parts end, by their starts. */
  readonly #ends = new Map<number, number>();

  /** @param size characters of a part, which is longer where nothing ends */
  constructor(body: string, constructs: Constructs, size: number) {
    this.#body = body;
    this.#constructs = constructs;
    this.#size = size;
  }

  /**
   * @param labels of another document that the body is a part of
   * @param use gets the events of each part, in order
   * @returns the labels, with those of the body
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

  /** Where a part may end, if not with the body. What is read in vain is no more than twice the body. */
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

  /** Undefined where something is open. */
  #tryTo(end: number, from: PartStart, known: KnownNames): BlockPart | undefined {
    try {
      const { events, known: behind } = this.#readTo(end, from, known);
      const at = events.findIndex(([type, { start }]) => type === 'enter' && start.offset === end);
      const [, first] = events[at] ?? [];
      if (!first || !isFree(events, at, this.#markerAt(end) !== '')) return undefined;
      events.length = at;
      return { events, known: behind, next: { line: first.start.line, offset: end } };
    } catch {
      // Braces or tags of MDX are open. What is wrong with them as a whole, reading the whole says.
      return undefined;
    }
  }

  #markerAt(offset: number): string {
    return /^(?:[-+*]|\d{1,9}[.)])[ \t]/.exec(this.#body.slice(offset, offset + 11))?.[0] ?? '';
  }

  /** Reads to the end of the body, or to a place before it, where the probe is put. */
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
    // Only at its beginning, it takes a byte order mark away, and does not count it.
    chunks('');
    const events = tokenizer.write(chunks(text, undefined, true));
    // Blocks take the place of the lines of the document.
    subtokenize(events);
    const { defined, gfmFootnotes, definedModuleSpecifiers } = parser;
    return {
      events,
      known: { definitions: defined, footnotes: gfmFootnotes, imports: definedModuleSpecifiers },
    };
  }
}

/** A list that the parser asks for each reference, and a document may have thousands of both. */
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

/** Whether what the probe begins is what stands there in a document of its own: a paragraph in nothing, or such an item. */
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
