import { Composer, isCollection, Schema, type CST, type Document } from 'yaml';
import type { Collection } from './nodes.ts';

export type YamlTree = Document.Parsed;

type PieceBlock = CST.BlockMap | CST.BlockSequence;

/** Receives the composed nodes of a stream of documents, in file order. */
export interface PieceVisitor {
  /** Whether documents must be passed whole. */
  readonly wholeRoot: boolean;
  /**
   * A document begins. A scalar or flow collection is passed whole; the items of a block collection follow.
   *
   * @param several whether the stream has more documents
   */
  begin(tree: YamlTree, several: boolean): void;
  /**
   * The next items of the innermost open collection.
   *
   * @param last whether no more items follow
   */
  items(collection: Collection, last: boolean): void;
  /**
   * The next item of the innermost open collection has a collection as its value, whose items would follow.
   *
   * @param collection holds only this item, with an empty value
   * @returns whether to open it; otherwise it is passed whole, with its neighbours
   */
  open(collection: Collection): boolean;
  /** The innermost open collection has ended at this offset. */
  close(end: number): void;
}

/** Throws at the first valid complaint: the library would collect every error, millions in a damaged file. */
export type OnError = (source: unknown, code: string, message: string) => void;

/** A collection whose items are composed while the parser still adds to it. */
interface Open {
  readonly token: PieceBlock;
  /** The offset of the remaining items as the library counts it, for errors. */
  offset: number;
}

/** A document with more directives is composed whole. */
const MAX_DIRECTIVES = 20;

/**
 * All scalars stay strings: `reading.ts` interprets them for YAML 1.1 and 1.2 at once. One schema for all documents,
 * because building it is slow.
 */
const SCHEMA = new Schema({ schema: 'failsafe', resolveKnownTags: false });

/**
 * Composes documents in pieces: the library would hold all tokens and nodes of a document at once, and spend most of
 * its time on garbage collection. Takes the finished items from the collections that the parser is building, and
 * composes them as separate collections. Every piece is checked as the whole would be.
 */
export class YamlPieceReader {
  documents = 0;
  readonly #text: string;
  readonly #visitor: PieceVisitor;
  readonly #onError: OnError;
  /** Checks the stream: directives, markers, and documents without their items. */
  readonly #stream: Composer;
  readonly #pieces: Composer;
  /** From the document to the innermost collection that is read in pieces. */
  readonly #open: Open[] = [];
  #directives: CST.Directive[] = [];
  /** The first document, until it is known whether others follow, which affects its keys. */
  #waiting: { readonly token: CST.Document; readonly directives: CST.Directive[] } | undefined;
  #marked: boolean | undefined;

  constructor(text: string, visitor: PieceVisitor, onError: OnError) {
    this.#text = text;
    this.#visitor = visitor;
    this.#onError = onError;
    this.#stream = makeComposer(onError);
    this.#pieces = makeComposer(onError);
  }

  /** Takes a finished document, or a token between documents. */
  take(token: CST.Token): void {
    if (token.type === 'directive') this.#directives.push(token);
    if (token.type !== 'document') {
      exhaust(this.#stream.next(token));
      return;
    }
    exhaust(this.#stream.next(token.value ? { ...token, value: emptied(token.value) } : token));
    this.documents++;
    if (this.documents === 1 && this.#open.length === 0) {
      this.#waiting = { token, directives: this.#directives };
    } else {
      this.#releaseWaiting(true);
      this.#finish(token, this.documents > 1);
    }
    this.#directives = [];
  }

  end(): void {
    exhaust(this.#stream.end());
    this.#releaseWaiting(false);
    const [directive] = this.#directives;
    if (directive) this.#onError(directive, 'MISSING_CHAR', 'a directive needs a line `---` after it');
  }

  /** Takes the finished items of the collections that the parser is building. */
  takeFinished(stack: readonly CST.Token[]): void {
    const [document, root] = stack;
    if (document?.type !== 'document' || !isBlock(root) || this.#visitor.wholeRoot) return;
    // The library forgets directives after every document, so each piece repeats them.
    if (this.#directives.length > MAX_DIRECTIVES) return;
    if (this.#open.length === 0) {
      if (this.documents === 0 && this.#hasMarkerBehind(root.offset)) return;
      this.#releaseWaiting(true);
      this.#begin({ ...document, value: root }, this.documents > 0);
    }
    for (let level = 0; ; level++) {
      const block = this.#open[level]?.token;
      const last = block?.items.at(-1);
      const child = stack[level + 2];
      if (!block || !last) return;
      const opens = isBlock(child) && expectsValue(last);
      // The parser may still add comments to a finished item, as long as the next one has no value.
      this.#takeItems(level, block.items.length - (opens ? 1 : 2), false);
      if (!opens) return;
      const inner = this.#open[level + 1]?.token;
      if (inner === undefined) {
        const item = { ...last, value: emptied(child) };
        if (block.items.length > 1 || !this.#visitor.open(this.#compose(level, [item]))) return;
        this.#open.push({ token: child, offset: child.offset });
      } else if (inner !== child) return;
    }
  }

  /** Whether a line after `offset` looks like the marker of another document. */
  #hasMarkerBehind(offset: number): boolean {
    return (this.#marked ??= this.#text.includes('\n---', offset) || this.#text.includes('\n...', offset));
  }

  #releaseWaiting(several: boolean): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    const next = this.#directives;
    this.#waiting = undefined;
    this.#directives = waiting.directives;
    this.#finish(waiting.token, several);
    this.#directives = next;
  }

  /** Passes on the rest of a document. */
  #finish(token: CST.Document, several: boolean): void {
    if (this.#open.length === 0) this.#begin(token, several);
    const root = this.#open[0]?.token;
    if (!root) return;
    this.#takeItems(0, root.items.length, true);
    this.#visitor.close(this.#open[0]?.offset ?? 0);
    this.#open.length = 0;
  }

  #begin(document: CST.Document, several: boolean): void {
    const { offset, start, value } = document;
    const root = isBlock(value) ? value : undefined;
    const alone: CST.Document = { type: 'document', offset, start };
    if (value) alone.value = root ? emptied(root) : value;
    const tree = this.#composeDocument(alone);
    this.#visitor.begin(tree, several);
    if (root) this.#open.push({ token: root, offset: root.offset });
    else if (isCollection(tree.contents)) {
      this.#visitor.items(tree.contents, true);
      this.#visitor.close(tree.range[1]);
    }
  }

  /** Hands over the first items of an open collection. */
  #takeItems(level: number, count: number, last: boolean): void {
    const open = this.#open[level];
    if (!open || count < 0 || (count === 0 && !last)) return;
    const { items } = open.token;
    const inner = this.#open[level + 1];
    if (inner) {
      this.#takeItems(level + 1, inner.token.items.length, true);
      this.#visitor.close(inner.offset);
      this.#open.length = level + 1;
      open.offset = inner.offset;
      items.shift();
    }
    const collection = this.#compose(level, items.splice(0, inner ? count - 1 : count));
    open.offset = collection.range[1];
    this.#visitor.items(collection, last);
  }

  /** Composes items of an open collection. */
  #compose(level: number, items: readonly CST.CollectionItem[]): Collection {
    const open = this.#open[level];
    const part = open && Object.assign({}, open.token, { offset: open.offset, items });
    const doc = part && this.#composeDocument(this.#alone(part));
    if (!doc || !isCollection(doc.contents))
      throw new RangeError('a collection was composed as something else');
    return doc.contents;
  }

  /** A document that consists of this value, with the marker that directives require. */
  #alone(value: PieceBlock): CST.Document {
    const at = { offset: value.offset, indent: 0 };
    const start: CST.SourceToken[] =
      this.#directives.length === 0
        ? []
        : [
            { type: 'doc-start', source: '---', ...at },
            { type: 'newline', source: '\n', ...at },
          ];
    return { type: 'document', offset: value.offset, start, value };
  }

  #composeDocument(document: CST.Document): YamlTree {
    for (const directive of this.#directives) exhaust(this.#pieces.next(directive));
    exhaust(this.#pieces.next(document));
    const [tree] = this.#pieces.end();
    if (!tree) throw new RangeError('a document was not composed');
    return tree;
  }
}

function makeComposer(onError: OnError): Composer {
  const composer = new Composer({
    schema: SCHEMA,
    keepSourceTokens: true,
    uniqueKeys: false,
    prettyErrors: false,
  });
  let thrown: unknown;
  return Object.assign(composer, {
    onError: (source: unknown, code: string, message: string, warning?: boolean) => {
      if (warning === true) return;
      // The library catches and reports this exception.
      if (thrown !== undefined) throw thrown;
      try {
        onError(source, code, message);
      } catch (error) {
        thrown = error;
        throw error;
      }
    },
  });
}

function exhaust(generator: Generator): void {
  while (generator.next().done !== true);
}

function isBlock(token: CST.Token | undefined): token is PieceBlock {
  return token?.type === 'block-map' || token?.type === 'block-seq';
}

function emptied(token: CST.Token): CST.Token {
  return 'items' in token ? { ...token, items: [] } : token;
}

/** Whether the next value that the parser finishes belongs to this item, whose other tokens are complete. */
function expectsValue({
  start,
  sep,
  value,
  explicitKey,
}: CST.CollectionItem & { explicitKey?: true }): boolean {
  if (value || explicitKey) return false;
  return sep
    ? sep.some(({ type }) => type === 'map-value-ind')
    : start.some(({ type }) => type === 'seq-item-ind');
}
