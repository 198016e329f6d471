import type { Document, DocumentWarning, Key, ScanOptions } from '../format.ts';
import {
  type BooleanKey,
  type BooleanKeys,
  booleanOf,
  isLastKey,
  isRootName,
  nameLikeSource,
  type RootKey,
} from './special-keys.ts';
import { lineEndAt } from '../lines.ts';
import { commentsAbove, wordsOf } from './layout.ts';
import { ShapeEvidence } from './messages.ts';
import { hasNoRoot, booleanKeysOf, type Mark } from './outline.ts';
import { limitError } from './parse.ts';
import { SimpleScalars } from './simple-scalar.ts';
import { TextReader } from './text-reader.ts';
import type { WalkOptions } from './walk.ts';

/** Facts about a document that reading its texts reveals. */
export interface YamlFindings {
  /** The number of documents in the file. */
  readonly documents: number;
  readonly aliases: readonly Mark[];
  readonly evidence: ShapeEvidence;
  readonly warnings: readonly DocumentWarning[];
  readonly root: RootKey | undefined;
  readonly booleanKeys: ReadonlyMap<string, readonly BooleanKey[]>;
  /** See `Document`. */
  readonly hasOnlyTexts?: true | undefined;
}

/** An open block collection. */
interface OpenCollection {
  readonly column: number;
  readonly sequence: boolean;
  /** Prefix of its items' keys. */
  readonly key: Key;
  /** The collection's name in the collection around it. */
  readonly name: string;
  readonly names: Set<string> | undefined;
  readonly booleans: BooleanKey[];
  count: number;
  /** The last entry, while its value may still follow on later lines. */
  waiting: Waiting | undefined;
}

interface Waiting {
  readonly name: string;
  readonly comments: readonly string[];
}

/** Characters with a special meaning to the library everywhere, and line ends that it does not accept. */
const ODD = /[\0-\u0008\u000b\u000c\u000e-\u001f\ufeff]|\r(?!\n)/;

const MAX_DEPTH = 100;
/**
 * Three times the number in ten megabytes of ordinary entries. That many would also exceed the full reader's token
 * limit.
 */
const MAX_ENTRIES = 600_000;

const NO_COMMENTS: readonly string[] = [];

/**
 * Reads a document of block maps, block sequences and scalars: nearly all localization files consist of these. It finds
 * the texts that the full reader finds (`parse.ts`, `walk.ts`; a property test compares them) in a tenth of the time,
 * because it creates neither tokens nor nodes. At the first sign of anything else (brackets, anchors, tags, several
 * documents, odd indentation, an error) it gives up, and the full reader reads the document.
 *
 * @param onText gets texts in file order, even of a document that turns out not to be simple
 * @returns undefined if the full reader must read the document
 * @throws DragomanError `limit_exceeded`
 */
export function readSimple(
  text: string,
  options: ScanOptions,
  onText: WalkOptions['onText'],
): YamlFindings | undefined {
  const { source, locale, messages } = options;
  const rootless = source !== undefined && hasNoRoot(source);
  const hasRootedSource = source !== undefined && !rootless;
  const reader = new SimpleReader(text, { locale, rootless, hasRootedSource, onText, messages });
  // This reader does not rename keys.
  return reader.read() && (!source || isNamedLike(reader.booleanKeys, source)) ? reader : undefined;
}

/** Whether the boolean keys of a translation already have the names of its source's. */
function isNamedLike(own: BooleanKeys, source: Document): boolean {
  const theirs = booleanKeysOf(source);
  return [...own].every(([map, keys]) => {
    const names = keys.map(({ name }) => name);
    const indexed = keys.map((key, index) => ({ ...key, index }));
    return nameLikeSource(names, indexed, theirs?.get(map) ?? []).every((name, i) => name === names[i]);
  });
}

type Options = Pick<WalkOptions, 'locale' | 'rootless' | 'hasRootedSource' | 'onText' | 'messages'>;

class SimpleReader implements YamlFindings {
  readonly documents = 1;
  readonly evidence = new ShapeEvidence();
  readonly warnings: DocumentWarning[] = [];
  /** A document with aliases is not simple. */
  readonly aliases: readonly Mark[] = [];
  readonly booleanKeys = new Map<string, readonly BooleanKey[]>();
  root: RootKey | undefined;
  hasOnlyTexts: true | undefined = true;
  readonly #text: string;
  readonly #options: Options;
  readonly #scalars: SimpleScalars;
  readonly #texts: TextReader;
  readonly #frames: OpenCollection[] = [];
  /** The first key of the document, while it may be the Rails root. */
  #candidate: RootKey | undefined;
  #lineStart = 0;
  /** Whether the line above is a comment. */
  #commented = false;
  /** End of the content read so far. */
  #floor = 0;
  #marked = false;
  #entries = 0;

  constructor(text: string, options: Options) {
    this.#text = text;
    this.#options = options;
    this.#scalars = new SimpleScalars(text);
    this.#texts = new TextReader(text, options.messages);
  }

  /** Whether the document is simple. */
  read(): boolean {
    if (ODD.test(this.#text)) return false;
    while (this.#lineStart < this.#text.length) if (!this.#readLine()) return false;
    const begun = this.#frames.length > 0;
    while (this.#frames.length > 0) this.#close();
    return begun;
  }

  #readLine(): boolean {
    const scalars = this.#scalars;
    const start = this.#lineStart;
    const at = scalars.skipSpaces(start);
    if (scalars.isLineEnd(at)) {
      this.#commented = false;
      this.#lineStart = scalars.behindBreak(at);
      return true;
    }
    const lineEnd = lineEndAt(this.#text, at);
    if (this.#text[at] === '#') {
      this.#commented = true;
      this.#lineStart = scalars.behindBreak(lineEnd);
      return true;
    }
    if (at === start && /^(?:---|\.\.\.|%)/.test(this.#text.slice(at, at + 3))) {
      if (this.#endsHere(at)) {
        this.#lineStart = this.#text.length;
        return true;
      }
      if (this.#marked || this.#frames.length > 0 || this.#text.slice(at, lineEnd) !== '---') return false;
      this.#marked = true;
      this.#floor = at;
      this.#commented = false;
      this.#lineStart = scalars.behindBreak(lineEnd);
      return true;
    }
    const sound = this.#readContent(at, lineEnd);
    this.#commented = false;
    if (++this.#entries > MAX_ENTRIES)
      throw limitError(this.#text, at, `too much for one file: more than ${MAX_ENTRIES} entries`);
    return sound;
  }

  /** Whether the line at this offset ends the document, and only blank lines follow: PHP's exports end this way. */
  #endsHere(at: number): boolean {
    return this.#frames.length > 0 && /^\.\.\.(?:\r?\n)*$/.test(this.#text.slice(at));
  }

  /** Reads a line that begins an entry, or the value of the entry above. */
  #readContent(at: number, lineEnd: number): boolean {
    const column = at - this.#lineStart;
    const item = this.#isItem(at);
    while ((this.#frames.at(-1)?.column ?? -1) > column) this.#close();
    let frame = this.#frames.at(-1);
    if (frame?.sequence === true && frame.column === column && !item) {
      this.#close();
      frame = this.#frames.at(-1);
      if (frame?.column !== column) return false;
    }
    if (!frame) {
      if (column !== 0 || this.#entries > 0) return false;
      if (!this.#marked) this.#floor = this.#lineStart;
    }
    // A sequence that is a key's value may begin in the key's column.
    const below = !frame || frame.column < column || (item && !frame.sequence);
    if (!below && frame) {
      this.#settle(frame);
      return this.#readEntry(frame, at, lineEnd);
    }
    if (frame && !frame.waiting) return false;
    const keyEnd = item ? -1 : this.#scalars.endOfKey(at, lineEnd);
    if (item || keyEnd >= 0) {
      const opened = this.#open(column, item);
      return opened !== undefined && this.#readEntry(opened, at, lineEnd, keyEnd);
    }
    const waiting = frame?.waiting;
    if (!frame || !waiting || this.#isBlock(at)) return false;
    frame.waiting = undefined;
    return this.#readScalar(frame, waiting, at, lineEnd);
  }

  /**
   * Reads an entry with the part of its value on the same line; for an item, that may include collections that begin
   * there.
   */
  #readEntry(frame: OpenCollection, at: number, lineEnd: number, keyEnd?: number): boolean {
    if (!frame.sequence)
      return this.#readPair(frame, at, keyEnd ?? this.#scalars.endOfKey(at, lineEnd), lineEnd);
    let items = frame;
    let dash = at;
    for (;;) {
      const waiting = {
        name: String(items.count++),
        comments: dash === at ? this.#commentsAbove(at) : NO_COMMENTS,
      };
      this.#floor = dash + 1;
      const value = this.#scalars.skipSpaces(dash + 1);
      items.waiting = waiting;
      if (this.#isOver(value)) return this.#endLine(lineEnd);
      const column = value - this.#lineStart;
      const item = this.#isItem(value);
      const end = item ? -1 : this.#scalars.endOfKey(value, lineEnd);
      if (!item && end < 0) {
        items.waiting = undefined;
        return this.#readScalar(items, waiting, value, lineEnd);
      }
      const opened = this.#open(column, item);
      if (!opened) return false;
      if (!item) return this.#readPair(opened, value, end, lineEnd);
      items = opened;
      dash = value;
    }
  }

  #readPair(frame: OpenCollection, at: number, keyEnd: number, lineEnd: number): boolean {
    const name = keyEnd < 0 ? undefined : this.#scalars.nameOf(at, keyEnd);
    if (name === undefined) return false;
    this.#noteName(frame, name, at);
    if (this.#mayBeRoot(frame, name, at, keyEnd)) this.#candidate = { head: at, keyEnd, flow: false };
    else this.#noteBoolean(frame, name, at, frame.count);
    frame.count++;
    const waiting = { name, comments: this.#commentsAbove(at) };
    this.#floor = keyEnd + 1;
    const value = this.#scalars.skipSpaces(keyEnd + 1);
    if (this.#isOver(value)) {
      frame.waiting = waiting;
      return this.#endLine(lineEnd);
    }
    return this.#readScalar(frame, waiting, value, lineEnd);
  }

  #readScalar(frame: OpenCollection, entry: Waiting, at: number, lineEnd: number): boolean {
    const scalars = this.#scalars;
    if (this.#candidate) this.#decide(frame, entry.name, false);
    if (!scalars.read(at, lineEnd, frame.column)) return false;
    const { end, style, value } = scalars;
    const isText = this.#texts.isText(style, value, undefined);
    this.#weigh(entry.name, isText, false);
    if (!isText) this.hasOnlyTexts = undefined;
    else {
      const key = frame.key.concat(entry.name);
      const note = this.#noteBehind();
      const comments = note === undefined ? entry.comments : [...entry.comments, note];
      const indent = style === 'block' ? frame.column : 0;
      const place = { style, flow: false, indent, span: { start: at, end } };
      this.#options.onText(this.#texts.take({ key, value, place, comments }));
    }
    this.#floor = end;
    this.#lineStart = scalars.next;
    return true;
  }

  /** The comment after the last scalar. */
  #noteBehind(): string | undefined {
    const { noteAt, style } = this.#scalars;
    if (noteAt < 0) return undefined;
    const comment = this.#text.slice(noteAt, lineEndAt(this.#text, noteAt));
    if (style !== 'block') return wordsOf(comment);
    const words = comment.slice(1).trim();
    return words === '' ? undefined : words;
  }

  #endLine(lineEnd: number): true {
    this.#lineStart = this.#scalars.behindBreak(lineEnd);
    return true;
  }

  /** Opens the collection that is the value of the innermost entry, or the content of the document. */
  #open(column: number, sequence: boolean): OpenCollection | undefined {
    const parent = this.#frames.at(-1);
    const name = parent?.waiting?.name ?? '';
    if (this.#frames.length >= MAX_DEPTH) return undefined;
    if (parent) parent.waiting = undefined;
    const rooted = parent !== undefined && this.#candidate !== undefined && !sequence;
    if (parent && this.#candidate) this.#decide(parent, name, rooted);
    const key = !parent || rooted ? [] : [...parent.key, name];
    const names = sequence ? undefined : new Set<string>();
    const frame: OpenCollection = {
      column,
      sequence,
      key,
      name,
      names,
      booleans: [],
      count: 0,
      waiting: undefined,
    };
    this.#frames.push(frame);
    return frame;
  }

  #close(): void {
    const frame = this.#frames.at(-1);
    if (!frame) return;
    this.#settle(frame);
    this.#frames.pop();
    if (this.#frames.length > 0) this.#weigh(frame.name, false, !frame.sequence, false);
  }

  /** Gives the waiting entry an empty value. */
  #settle(frame: OpenCollection): void {
    if (!frame.waiting) return;
    const { name } = frame.waiting;
    frame.waiting = undefined;
    if (this.#candidate) this.#decide(frame, name, true);
    this.#weigh(name, false, false);
  }

  #weigh(name: string, isText: boolean, isEntry: boolean, isScalar = true): void {
    const depth = this.#frames.length - (this.root ? 1 : 0);
    const isItem = this.#frames.at(-1)?.sequence === true;
    this.evidence.weigh(depth, name, { isMap: isEntry, isText, isItem }, isScalar);
  }

  #noteName(frame: OpenCollection, name: string, offset: number): void {
    if (!frame.names) return;
    if (frame.names.has(name))
      this.warnings.push({ rule: 'duplicate-key', key: [...frame.key, name], offset });
    frame.names.add(name);
  }

  #mayBeRoot(frame: OpenCollection, name: string, at: number, keyEnd: number): boolean {
    if (this.#options.rootless || this.#frames.length > 1 || frame.count > 0) return false;
    return isRootName(name, this.#options) && isLastKey(this.#text, keyEnd, at - this.#lineStart);
  }

  /** Decides whether the document's first key is the Rails root, once its value is known. */
  #decide(frame: OpenCollection, name: string, rooted: boolean): void {
    if (rooted) this.root = this.#candidate;
    else this.#noteBoolean(frame, name, this.#candidate?.head ?? 0, 0);
    this.#candidate = undefined;
  }

  #noteBoolean(frame: OpenCollection, name: string, at: number, index: number): void {
    const meaning = booleanOf(name);
    if (meaning === undefined) return;
    const plain = this.#text[at] !== '"' && this.#text[at] !== "'";
    frame.booleans.push({ name, meaning, index, plain });
    this.booleanKeys.set(JSON.stringify(frame.key), frame.booleans);
  }

  #commentsAbove(at: number): readonly string[] {
    if (!this.#commented || this.#lineStart < this.#floor) return NO_COMMENTS;
    return commentsAbove(this.#text, this.#lineStart, this.#floor, at - this.#lineStart).lines;
  }

  #isItem(at: number): boolean {
    return this.#text[at] === '-' && this.#scalars.isGap(at + 1);
  }

  /** Whether only a comment follows on the line. */
  #isOver(at: number): boolean {
    return this.#scalars.isLineEnd(at) || (this.#text[at] === '#' && this.#text[at - 1] === ' ');
  }

  #isBlock(at: number): boolean {
    return this.#text[at] === '|' || this.#text[at] === '>';
  }
}
