import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { startOfText } from '../lines.ts';
import { illegalCharacterIn, lineEndOf, nameAt, Seeker, skipSpace } from './characters.ts';
import { commentEnd, type Fail, instructionEnd, readDoctype } from './doctype.ts';
import { Entities, ExpansionBudget, referenceAt } from './entities.ts';
import { append, TagReader } from './tag.ts';
import { isListOf, type XmlDoctype, type XmlElement, type XmlLeaf, type XmlTree } from './tree.ts';

const MAX_NESTING = 500;
/** The tree of a document with this many elements takes about a gigabyte. */
const MAX_ELEMENTS = 2_000_000;
const DECLARATION =
  /<\?xml\s+version\s*=\s*(?:"1\.\d+"|'1\.\d+')(?:\s+encoding\s*=\s*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>/y;

/**
 * Parses XML 1.0 in one pass, in linear time, and checks that it is well-formed. Offsets are exact, and nothing outside
 * the text is opened.
 *
 * @param entities declarations that apply to the text, if it is a piece of a document
 * @throws DragomanError `unreadable_input` or `limit_exceeded`, with line and column
 */
export function parseXml(text: string, entities?: Entities): XmlTree {
  return new Parser(text, entities).parse();
}

/** Same as {@link parseXml}, but stops after the root's start tag. */
export function parseXmlHead(text: string): XmlTree {
  return new Parser(text).parseHead();
}

class Parser {
  readonly #text: string;
  readonly #entities: Entities;
  readonly #ampersands: Seeker;
  readonly #closers: Seeker;
  readonly #tags: TagReader;
  #doctype: XmlDoctype | undefined;

  constructor(text: string, entities = new Entities()) {
    this.#text = text;
    this.#entities = entities;
    this.#ampersands = new Seeker(text, '&');
    this.#closers = new Seeker(text, ']]>');
    this.#tags = new TagReader(text, this.#fail, (start, end) => this.#checkReferences(start, end, true));
  }

  parse(): XmlTree {
    const tree = this.parseHead();
    if (tree.root.end < 0) this.#readContent(tree);
    this.#readEpilog(tree.root.end);
    return tree;
  }

  parseHead(): XmlTree {
    const text = this.#text;
    const illegal = illegalCharacterIn(text);
    if (illegal >= 0) {
      const code = text.charCodeAt(illegal).toString(16).toUpperCase().padStart(4, '0');
      this.#fail(illegal, `the character U+${code} is not allowed in XML`);
    }
    const root = this.#tags.read(this.#readProlog(), undefined);
    const [doctype, entities] = [this.#doctype, this.#entities];
    return { text, root, list: root, doctype, entities, lineEnd: lineEndOf(text) };
  }

  readonly #fail: Fail = (offset, message, code = 'unreadable_input') => {
    throw new DragomanError(code, message, { at: positionAt(this.#text, offset) });
  };

  #readProlog(): number {
    const text = this.#text;
    let at = startOfText(text);
    if (/^<\?xml\s/.test(text.slice(at, at + 6))) {
      DECLARATION.lastIndex = at;
      const declaration = DECLARATION.exec(text);
      if (!declaration) this.#fail(at, 'malformed XML declaration');
      else at += declaration[0].length;
    }
    for (;;) {
      at = this.#skipMisc(at);
      if (at >= text.length) this.#fail(at, 'there is no root element');
      if (text[at] !== '<') this.#fail(at, 'text before the root element');
      if (!text.startsWith('<!DOCTYPE', at)) return at;
      if (this.#doctype) this.#fail(at, 'a second <!DOCTYPE>');
      this.#doctype = readDoctype(text, at, this.#entities, this.#fail);
      at = this.#doctype.span.end;
    }
  }

  #readEpilog(offset: number): void {
    const at = this.#skipMisc(offset);
    if (at >= this.#text.length) return;
    const what = this.#text[at] === '<' ? 'a second root element' : 'text';
    this.#fail(at, `${what} after the root element`);
  }

  /** White space, comments and processing instructions. */
  #skipMisc(offset: number): number {
    const text = this.#text;
    let at = offset;
    for (;;) {
      at = skipSpace(text, at);
      if (text.startsWith('<!--', at)) at = commentEnd(text, at, this.#fail);
      else if (text.startsWith('<?', at)) at = instructionEnd(text, at, this.#fail);
      else return at;
    }
  }

  #readContent(tree: XmlTree): void {
    const { text, root } = tree;
    // The innermost open element; its ancestors are its parents.
    let open: XmlElement | undefined = root;
    let nesting = 1;
    let elements = 0;
    let at = root.openEnd;
    while (open) {
      const tag = text.indexOf('<', at);
      if (tag < 0) this.#fail(open.start, `<${open.name}> is never closed`);
      if (tag > at) open.children = append(open.children, this.#readText(at, tag));
      const kind = text.charCodeAt(tag + 1);
      if (kind === 47) {
        at = this.#readEndTag(tag, open);
        open = open.parent;
        nesting--;
      } else if (kind === 33 || kind === 63) {
        const leaf = this.#readLeaf(tag);
        open.children = append(open.children, leaf);
        at = leaf.end;
      } else {
        if (++elements > MAX_ELEMENTS)
          this.#fail(tag, `more than ${MAX_ELEMENTS} elements`, 'limit_exceeded');
        const child: XmlElement = this.#tags.read(tag, open);
        open.children = append(open.children, child);
        if (open === root && tree.list === root && isListOf(root, child)) tree.list = child;
        at = child.openEnd;
        if (child.end >= 0) continue;
        open = child;
        nesting++;
        if (nesting > MAX_NESTING) {
          this.#fail(tag, `elements are nested more than ${MAX_NESTING} deep`, 'limit_exceeded');
        }
      }
    }
  }

  #readEndTag(start: number, open: XmlElement): number {
    const text = this.#text;
    const name = nameAt(text, start + 2);
    if (name !== open.name) {
      const { line, column } = positionAt(text, open.start);
      this.#fail(start, `</${name}> does not close <${open.name}>, opened at ${line}:${column}`);
    }
    const end = skipSpace(text, start + 2 + name.length);
    if (text[end] !== '>') this.#fail(start, `malformed end tag </${name}>`);
    open.closeStart = start;
    open.end = end + 1;
    return open.end;
  }

  #readText(start: number, end: number): XmlLeaf {
    const closer = this.#closers.next(start);
    if (closer < end) this.#fail(closer, '"]]>" outside a CDATA section');
    return { type: 'text', start, end, custom: this.#checkReferences(start, end, false) };
  }

  #readLeaf(start: number): XmlLeaf {
    const text = this.#text;
    if (text.startsWith('<!--', start)) {
      return { type: 'comment', start, end: commentEnd(text, start, this.#fail), custom: false };
    }
    if (text.startsWith('<![CDATA[', start)) {
      const close = this.#closers.next(start + 9);
      if (close === text.length) this.#fail(start, 'the CDATA section is not closed');
      return { type: 'cdata', start, end: close + 3, custom: false };
    }
    if (text.startsWith('<?', start)) {
      return { type: 'instruction', start, end: instructionEnd(text, start, this.#fail), custom: false };
    }
    return this.#fail(start, 'malformed markup after "<!"');
  }

  /** Whether the range refers to an entity that XML does not predefine. */
  #checkReferences(start: number, end: number, inAttribute: boolean): boolean {
    let budget: ExpansionBudget | undefined;
    for (let amp = this.#ampersands.next(start); amp < end; amp = this.#ampersands.next(amp + 1)) {
      const reference = referenceAt(this.#text, amp);
      if (!reference || reference.end > end) {
        this.#fail(amp, 'a bare "&" or malformed reference; write a literal one as &amp;');
      } else if (reference.character === undefined) {
        budget ??= new ExpansionBudget();
        this.#checkEntity(reference.name, amp, inAttribute, budget);
      }
    }
    return budget !== undefined;
  }

  #checkEntity(name: string, offset: number, inAttribute: boolean, budget: ExpansionBudget): void {
    const declaration = this.#entities.get(name);
    if (!declaration && !this.#entities.openEnded) this.#fail(offset, `entity &${name}; is not declared`);
    if (inAttribute && declaration && declaration.replacement === undefined) {
      this.#fail(offset, `the external entity &${name}; is not allowed in an attribute`);
    }
    const markup = this.#measureEntity(name, offset, budget);
    if (markup && inAttribute) {
      this.#fail(offset, `entity &${name}; holds a "<" and is not allowed in an attribute`);
    }
  }

  /** Whether the entity contains markup, which is then well-formed by itself. */
  #measureEntity(name: string, offset: number, budget: ExpansionBudget): boolean {
    try {
      const { length, markup } = this.#entities.measure(name);
      budget.spend(name, length);
      if (markup) {
        this.#entities.checkOnce(name, (replacement) => parseXml(`<_>${replacement}</_>`, this.#entities));
      }
      return markup;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      const message = error.at ? `entity &${name}; is not well-formed: ${error.message}` : error.message;
      return this.#fail(offset, message, error.code === 'limit_exceeded' ? error.code : 'unreadable_input');
    }
  }
}
