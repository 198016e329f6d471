import type { MessageNode, TagNode } from './node.ts';
import { addTo } from '../base/map-of-lists.ts';

/** HTML elements without an end tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** `<name`, `</name`, and the numbered tags of component libraries: `<0>`, `</0>`. Not `<https://a.b/>`. */
const HEAD = /<(\/?)([A-Za-z](?:[\w:.-]*[\w.-])?|\d{1,3})(?=[\s/>])/y;

const COMMENT = /<!--|<!\[CDATA\[|<\?/y;
const COMMENT_END: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };

/** The slash of `<a href=https://a.b/>` belongs to the address: an HTML parser includes it in an unquoted attribute. */
const UNQUOTED_END = /=[^\s"'=<>`{}]+\/>$/;

/** Attributes without a value that markup parsers accept. Angle brackets with any other bare word are plain text. */
const BARE_ATTRIBUTE =
  /^(?:allowfullscreen|async|autofocus|autoplay|checked|controls|default|defer|disabled|download|hidden|inert|ismap|itemscope|loop|multiple|muted|noshade|nowrap|open|playsinline|readonly|required|reversed|selected|[#@:*[(].*|(?:aria|data|ng|v|x)-.*)$/i;

const CLOSING = /<\/([A-Za-z][\w:.-]*|\d{1,3})\s*>/g;

interface ReadTag {
  readonly node: MessageNode;
  readonly end: number;
}

export interface TagOptions {
  /** Whether the text is XML or HTML, in which case everything that looks like a tag is one. */
  readonly isMarkup: boolean;
  /** Returns the names of the end tags in the whole value. Only called if they matter. */
  readonly closings: () => ReadonlySet<string>;
}

/** Longer attributes are read as words, so that scanning stays linear. */
const MAX_QUOTED = 1024;

/** Reads the tags of one text. Remembers failed searches, so that a text with many openings is searched once. */
export class TagScanner {
  readonly #text: string;
  readonly #options: TagOptions;
  /** Comment openings without an end. */
  readonly #unclosed = new Set<string>();

  constructor(text: string, options: TagOptions) {
    this.#text = text;
    this.#options = options;
  }

  /** The inline tag or comment at `start`, where the text has a `<`; undefined for other text. */
  read(start: number): ReadTag | undefined {
    COMMENT.lastIndex = start;
    const comment = COMMENT.exec(this.#text);
    if (comment) return this.#readComment(start, comment[0]);
    HEAD.lastIndex = start;
    const head = HEAD.exec(this.#text);
    if (!head) return undefined;
    const inner = HEAD.lastIndex;
    const end = endOfTag(this.#text, inner);
    if (end === undefined) return undefined;
    const raw = this.#text.slice(start, end);
    const name = head[2] ?? '';
    if (!this.#isTag(name, head[1] === '/', raw.slice(inner - start, -1))) return undefined;
    if (head[1] === '/') return { node: { type: 'close', raw, name }, end };
    if ((raw.endsWith('/>') && !UNQUOTED_END.test(raw)) || VOID.test(name))
      return { node: { type: 'code', raw, kind: 'tag' }, end };
    return { node: { type: 'open', raw, name }, end };
  }

  /** `<Unknown Sender>` is text for people: a tag has an attribute value, a known attribute, or an end tag. */
  #isTag(name: string, isClosing: boolean, rest: string): boolean {
    const attributes = rest.trim();
    if (attributes === '' || this.#options.isMarkup) return true;
    if (isClosing) return false;
    if (attributes.includes('=') || attributes.endsWith('/')) return true;
    return (
      attributes.split(/\s+/).every((word) => BARE_ATTRIBUTE.test(word)) || this.#options.closings().has(name)
    );
  }

  #readComment(start: number, opening: string): ReadTag | undefined {
    if (this.#unclosed.has(opening)) return undefined;
    const closing = COMMENT_END[opening] ?? '>';
    const found = this.#text.indexOf(closing, start + opening.length);
    if (found < 0) {
      this.#unclosed.add(opening);
      return undefined;
    }
    const end = found + closing.length;
    return { node: { type: 'code', raw: this.#text.slice(start, end), kind: 'tag' }, end };
  }
}

/** The names of the end tags of a value. */
export function closingsIn(value: string): ReadonlySet<string> {
  return new Set(Array.from(value.matchAll(CLOSING), ([, name = '']) => name));
}

/** A `>` in quotes or braces does not end a tag: `{name:>10}` is a placeholder, `onClick={() => 1}` an attribute. */
function endOfTag(text: string, from: number): number | undefined {
  let quote = '';
  let quoted = 0;
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i] ?? '';
    if (quote !== '') {
      if (c === quote) quote = '';
      else if (++quoted > MAX_QUOTED) return undefined;
    } else if (c === '{') depth++;
    else if (c === '}') depth--;
    else if (c === '>' && depth <= 0) return i + 1;
    else if (c === '<' || i - from > 2 * MAX_QUOTED) return undefined;
    else if (c === '"' || c === "'") quote = c;
  }
  return undefined;
}

const NO_PAIRS: ReadonlyMap<number, number> = new Map();

/** One end of an element, or another node. */
type PairableNode = { readonly type: 'open' | 'close'; readonly name: string } | { readonly type: OtherType };
type OtherType = Exclude<MessageNode['type'], 'open' | 'close'> | 'alone' | 'words' | 'break';

/**
 * Maps each properly nested tag to its partner, in both directions, by index in `nodes`. An end tag matches the nearest
 * open tag of its name; unclosed tags between them have no partner.
 */
export function pairTags(nodes: readonly PairableNode[]): ReadonlyMap<number, number> {
  if (!nodes.some((node) => node.type === 'close')) return NO_PAIRS;
  const pairs = new Map<number, number>();
  const open = new OpenTags();
  nodes.forEach((node, at) => {
    if (node.type === 'open') open.push(at, node.name);
    else if (node.type === 'close') {
      const start = open.close(node.name);
      if (start !== undefined) pairs.set(start, at).set(at, start);
    }
  });
  return pairs;
}

class OpenTags {
  readonly #open: { readonly at: number; readonly name: string }[] = [];
  /** The number of open tags by name. Created only when tags do not nest, which is rare. */
  #counts: Map<string, number> | undefined;

  push(at: number, name: string): void {
    this.#open.push({ at, name });
    this.#count(name, 1);
  }

  /** Removes the nearest open tag of a name and those after it. @returns its index */
  close(name: string): number | undefined {
    if (this.#open.at(-1)?.name !== name && !this.#isOpen(name)) return undefined;
    for (let top = this.#open.pop(); top; top = this.#open.pop()) {
      this.#count(top.name, -1);
      if (top.name === name) return top.at;
    }
    return undefined;
  }

  #isOpen(name: string): boolean {
    if (!this.#counts) {
      this.#counts = new Map();
      for (const tag of this.#open) this.#count(tag.name, 1);
    }
    return (this.#counts.get(name) ?? 0) > 0;
  }

  #count(name: string, by: number): void {
    this.#counts?.set(name, (this.#counts.get(name) ?? 0) + by);
  }
}

const LONE_TAG = /^<([A-Za-z]+)(?=[\s>])/;

/**
 * Components may have names of HTML's void elements: `<link>terms</link>` is a pair, because it has an end tag. Without
 * one, the tag is void.
 */
export function openVoidTags(nodes: readonly MessageNode[]): readonly MessageNode[] {
  if (!nodes.some((node) => node.type === 'close' && VOID.test(node.name))) return nodes;
  const opened = [...nodes];
  const lone = new Map<string, { readonly at: number; readonly tag: TagNode }[]>();
  nodes.forEach((node, at) => {
    if (node.type === 'close') {
      const start = lone.get(node.name)?.pop();
      if (start) opened[start.at] = start.tag;
    } else if (node.type === 'code' && node.kind === 'tag' && !node.raw.endsWith('/>')) {
      const name = LONE_TAG.exec(node.raw)?.[1];
      if (name === undefined || !VOID.test(name)) return;
      addTo(lone, name, { at, tag: { type: 'open', raw: node.raw, name } });
    }
  });
  return opened;
}
