import type { Span } from '../../base/span.ts';
import {
  attributeOf,
  elementsOf,
  isEmptyTag,
  type XmlElement,
  type XmlNode,
  type XmlTree,
  descendantsOf,
} from '../xml/tree.ts';
import { codedSyntax } from './cue-text.ts';
import { decodeEntity } from './tagged-text.ts';

/** The texts of paragraphs: spans are tags, and unspoken content is abbreviated as `<desc 2/>`. */
export const ttmlText = codedSyntax(
  [
    String.raw`<\/?[A-Za-z_][^<>\n]{0,4000}>`,
    String.raw`&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z_][\w.-]{0,80});`,
  ],
  /[<&]/,
  {
    readCode: (raw) => {
      if (raw.startsWith('&')) return { type: 'code', raw, kind: 'entity' };
      if (raw.endsWith('/>')) return { type: 'code', raw, kind: 'tag' };
      const name = localName(/^<\/?([^\s<>/]+)/.exec(raw)?.[1] ?? '');
      return { type: raw[1] === '/' ? 'close' : 'open', raw, name };
    },
    writeWords: (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;'),
  },
);

/** The markup around a paragraph's words. */
export interface ParagraphMarkup {
  /** Abbreviations in the value, and the source of each. */
  readonly short: ReadonlyMap<string, string>;
  /** The source of each line end, with the blanks around it. */
  readonly lineBreaks: readonly string[];
  /** The blanks between its tags as written: line ends and indentation. */
  readonly gaps: readonly string[];
  /** The white space before the content, if white space is preserved: blanks after a line end belong to its line. */
  readonly lead: string;
}

/** A paragraph's content without the blanks at its ends. */
export interface TtmlParagraph extends ParagraphMarkup {
  readonly span: Span;
  /** The text with one line per displayed line, and blanks as displayed; keeps only references that markup needs. */
  readonly value: string;
  /** Whether its words can be replaced by a translation. */
  readonly isText: boolean;
}

export interface ParagraphContext {
  /** Whether white space is preserved. */
  readonly preserves: boolean;
  /** Styles that mark a text as the pronunciation of another. */
  readonly rubyStyles: ReadonlySet<string>;
}

/** Undefined for a paragraph that is not displayed. */
export function readParagraph(
  tree: XmlTree,
  element: XmlElement,
  { preserves, rubyStyles }: ParagraphContext,
): TtmlParagraph | undefined {
  if (isEmptyTag(element)) return undefined;
  const reader = new ParagraphReader(tree, { preserves, rubyStyles });
  const inner = tree.text.slice(element.openEnd, element.closeStart);
  const { lead, tail } = preserves ? shownBlanks(inner) : hiddenBlanks(inner);
  const span = { start: element.openEnd + lead.length, end: element.closeStart - tail.length };
  if (span.end <= span.start) return undefined;
  const value = reader.read(element.children);
  const words = value.replaceAll(/<[^<>]*>/g, '').trim();
  if (words === '') return undefined;
  const { short, lineBreaks, gaps } = reader;
  return {
    span,
    value,
    short,
    lineBreaks,
    gaps,
    lead: preserves ? lead : '',
    isText: !isTimedByWord(tree, element),
  };
}

interface BlanksAround {
  readonly lead: string;
  readonly tail: string;
}

function hiddenBlanks(inner: string): BlanksAround {
  return {
    lead: inner.slice(0, inner.length - inner.trimStart().length),
    tail: inner.slice(inner.trimEnd().length),
  };
}

/** If white space is preserved, only blanks on the lines of the tags are hidden. */
function shownBlanks(inner: string): BlanksAround {
  const start = inner.search(/[^\t\n\r ]/);
  if (start < 0) return { lead: '', tail: inner };
  let end = inner.length;
  while (/[\t\n\r ]/.test(inner.charAt(end - 1))) end--;
  const [lead, tail] = [inner.slice(0, start), inner.slice(end)];
  const line = tail.search(/[\n\r]/);
  return { lead: /[\n\r]/.test(lead) ? lead : '', tail: line < 0 ? '' : tail.slice(line) };
}

const SHOWN_LINE_END = /(?:\r\n|\n|\r)[\t ]*/g;

/** Writes the content of a paragraph with this value. */
export function writeParagraph(
  value: string,
  { short, lineBreaks, gaps }: Omit<ParagraphMarkup, 'lead'>,
): string {
  // A translation with different tags has no places for the blanks between tags.
  const isIndented = value.split('> <').length - 1 === gaps.length;
  let gap = 0;
  let line = 0;
  const written = value
    .split('\n')
    .map((words) => (isIndented ? words.replaceAll('> <', () => `>${gaps[gap++] ?? ' '}<`) : words))
    .reduce((lines, words) => lines + (lineBreaks[line++] ?? lineBreaks.at(-1) ?? '<br/>') + words);
  return short.size === 0 ? written : written.replaceAll(/<[^<>]*>/g, (tag) => short.get(tag) ?? tag);
}

/** Whether most timed spans of a paragraph hold a single word, in which case its words cannot be replaced. */
function isTimedByWord(tree: XmlTree, element: XmlElement): boolean {
  const timed = elementsOf(element).filter(
    (child) => localName(child.name) === 'span' && attributeOf(tree, child, 'begin') !== undefined,
  );
  const single = timed.filter(
    ({ openEnd, closeStart }) => !/\S\s+\S/.test(tree.text.slice(openEnd, closeStart)),
  );
  return timed.length > 1 && single.length * 2 > timed.length;
}

class ParagraphReader {
  readonly #tree: XmlTree;
  readonly #preserves: boolean;
  readonly #rubyStyles: ReadonlySet<string>;
  readonly short = new Map<string, string>();
  readonly lineBreaks: string[] = [];
  readonly gaps: string[] = [];
  /** Offset after the last line break and its blanks. */
  #behindBreak = 0;

  constructor(tree: XmlTree, { preserves, rubyStyles }: ParagraphContext) {
    this.#tree = tree;
    this.#preserves = preserves;
    this.#rubyStyles = rubyStyles;
  }

  read(nodes: readonly XmlNode[]): string {
    const value = this.#readNodes(nodes, true);
    if (!this.#preserves)
      return value
        .replaceAll(/ *\n */g, '\n')
        .replaceAll(/ {2,}/g, ' ')
        .trim();
    let [start, end] = [0, value.length];
    while (value[start] === '\n' && this.lineBreaks[0]?.trim() === '') {
      this.lineBreaks.shift();
      start++;
    }
    while (end > start && value[end - 1] === '\n' && this.lineBreaks.at(-1)?.trim() === '') {
      this.lineBreaks.pop();
      end--;
    }
    return value.slice(start, end);
  }

  /** @param isWhole whether to exclude blanks at the ends from `gaps` */
  #readNodes(nodes: readonly XmlNode[], isWhole = false): string {
    return nodes
      .map((node, i) => {
        const raw = this.#tree.text.slice(node.start, node.end);
        const isGap = node.type === 'text' && /^[\t\n\r ]+$/.test(raw);
        const isEnd = isWhole && (i === 0 || i === nodes.length - 1);
        const isBesideBreak = isBreak(nodes[i - 1]) || isBreak(nodes[i + 1]);
        if (isGap && !isEnd && !isBesideBreak) this.gaps.push(raw);
        return this.#readNode(node);
      })
      .join('');
  }

  /** If white space is preserved, a line end in the source is displayed as one. */
  #keepLines(raw: string): string {
    for (const lineBreak of raw.match(SHOWN_LINE_END) ?? []) this.lineBreaks.push(lineBreak);
    return raw.split(SHOWN_LINE_END).map(decodeText).join('\n');
  }

  #withBlanks({ start, end }: XmlNode): string {
    const { text } = this.#tree;
    const isBlank = (at: number): boolean => /[\t\n\r ]/.test(text.charAt(at));
    while (start > this.#behindBreak && isBlank(start - 1)) start--;
    while (isBlank(end)) end++;
    this.#behindBreak = end;
    return text.slice(start, end);
  }

  #readNode(node: XmlNode): string {
    const raw = this.#tree.text.slice(node.start, node.end);
    if (node.type === 'text') return this.#preserves ? this.#keepLines(raw) : decodeText(raw);
    if (node.type === 'cdata') return ttmlText.writeWords(decodeText(raw.slice(9, -3)));
    if (node.type !== 'element') return this.#shorten(raw, node.type);
    const name = localName(node.name);
    if (name === 'br') {
      this.lineBreaks.push(this.#preserves ? raw : this.#withBlanks(node));
      return '\n';
    }
    if (name !== 'span' || isEmptyTag(node) || this.#isRubyText(node)) return this.#shorten(raw, name);
    const open = this.#tree.text.slice(node.start, node.openEnd);
    const inner = this.#readNodes(node.children);
    return `${this.#keepTag(open)}${inner}${this.#keepTag(this.#tree.text.slice(node.closeStart, node.end))}`;
  }

  /** Abbreviates tags that no token could hold, because their attributes contain line ends or special characters. */
  #keepTag(raw: string): string {
    if (!/[\n\r]|<[^]*[<>][^]*>/.test(raw)) return raw;
    const oneLine = `${raw.slice(0, -1).replaceAll(/[<>]/g, '').replaceAll(/\s+/g, ' ')}>`;
    const short = raw.startsWith('</') ? '</span>' : `<${oneLine}`;
    if (short !== raw) this.short.set(short, raw);
    return short;
  }

  #shorten(raw: string, name: string): string {
    const short = `<${name} ${this.short.size + 1}/>`;
    this.short.set(short, raw);
    return short;
  }

  #isRubyText(element: XmlElement): boolean {
    if (isRuby(this.#tree, element)) return true;
    const styles = attributeOf(this.#tree, element, 'style')?.split(/\s+/) ?? [];
    return styles.some((name) => this.#rubyStyles.has(name));
  }
}

function isBreak(node: XmlNode | undefined): boolean {
  return node?.type === 'element' && localName(node.name) === 'br';
}

/** The ids of styles, outside the body, that mark a span as a pronunciation. The styles may come after the span. */
export function rubyStylesOf(tree: XmlTree): ReadonlySet<string> {
  const names = new Set<string>();
  if (!tree.text.includes('ruby')) return names;
  for (const element of descendantsOf(tree.root)) {
    if (localName(element.name) !== 'style' || !isRuby(tree, element) || isWithin(element, 'body')) continue;
    const id = attributeOf(tree, element, 'xml:id') ?? attributeOf(tree, element, 'id');
    if (id !== undefined) names.add(id);
  }
  return names;
}

/** Whether an element, or one of its ancestors below the root, has this name. */
export function isWithin(element: XmlElement, name: string): boolean {
  for (let at = element; at.parent; at = at.parent) if (localName(at.name) === name) return true;
  return false;
}

function isRuby(tree: XmlTree, element: XmlElement): boolean {
  const ruby = attributeByLocalName(tree, element, 'ruby');
  return ruby !== undefined && /^(?:text|textContainer|delimiter)$/.test(ruby);
}

/** Collapses blanks, and decodes all references except those that markup needs. */
function decodeText(raw: string): string {
  return raw
    .replaceAll(/[\t\n\r ]+/g, (blanks) => (/[\n\r]/.test(blanks) ? ' ' : blanks))
    .replaceAll(/&[^&;\s]{1,80};/g, (reference) => {
      const character = decodeEntity(reference);
      return /[&<>]/.test(character) ? reference : character;
    });
}

/** A name without its prefix, because files use undeclared prefixes. */
export function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** The value of the attribute with that name and any namespace prefix. */
export function attributeByLocalName(tree: XmlTree, element: XmlElement, name: string): string | undefined {
  const found = element.attributes.find((attribute) => localName(attribute.name) === name);
  return found && attributeOf(tree, element, found.name);
}
