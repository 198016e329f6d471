import { Parser, html, type DefaultTreeAdapterMap, type ParserOptions, type Token } from 'parse5';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { isVoid, rulesOf, TOP_RULES, type TextRules } from './elements.ts';
import { leanTree, type LeanElement } from './lean-tree.ts';
import { TextTokenizer } from './text-tokenizer.ts';

/** A piece of a page, as the parser took it. In order and disjoint; what lies between two is nothing but damage. */
export interface HtmlEvent {
  readonly type: 'text' | 'open' | 'close' | 'alone' | 'comment';
  readonly start: number;
  end: number;
  /** Of a tag, in lower case. */
  readonly name: string;
  /** Rules for text at this place: of a text, the rules it stands under; of a tag, those behind it. */
  readonly rules: TextRules;
  /** Name of the element that a text stands in, or that is open behind a tag. */
  readonly host: string;
  /** Behind it begins or goes on SVG or MathML. */
  readonly foreign: boolean;
  readonly tag: TagAttributes | undefined;
}

export interface TagAttributes {
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  /** Where each stands, with its name. */
  readonly locations: Readonly<Record<string, Token.Location>>;
  /** Whether values of attributes are for people. */
  readonly translated: boolean;
}

/** Browsers nest no deeper either; the parser's time grows with it. */
const MAX_DEPTH = 512;
const MAX_ELEMENTS = 1_000_000;
/** In UTF-16 code units. */
const MAX_LENGTH = 10 * 1024 * 1024;

/** Takes the pieces of a page in their order; none of them is kept for it. */
export type TakeEvent = (event: HtmlEvent) => void;

export interface ReadHtmlOptions {
  /** The page itself, for the lines of errors, where its templates are masked. */
  readonly source: string;
  /** Finds where attributes stand. */
  readonly attributes?: boolean | undefined;
}

/**
 * Reads a page as browsers do. What it consists of goes to `take`.
 *
 * @returns the tree of its elements
 * @throws DragomanError `limit_exceeded` for a page that is too long, too deep or has too many elements.
 */
export function readHtml(
  text: string,
  { source, attributes = false }: ReadHtmlOptions,
  take: TakeEvent,
): DefaultTreeAdapterMap['document'] {
  if (text.length > MAX_LENGTH) {
    throw new DragomanError(
      'limit_exceeded',
      `the page has more than ${MAX_LENGTH / 1024 / 1024} MiB of text`,
      {
        at: { line: 1, column: 1 },
        hint: 'Split it: no browser or mail reader shows pages of this size.',
      },
    );
  }
  const reader = new PageReader(source, attributes, take);
  reader.tokenizer.write(text, true);
  reader.finish();
  return reader.document;
}

const NO_LOCATIONS: TagAttributes['locations'] = {};

class PageReader extends Parser<DefaultTreeAdapterMap> {
  readonly #source: string;
  readonly #take: TakeEvent;
  /** Whose content a fragment is: `<template>` keeps it apart from the tree. */
  readonly #owners = new Map<unknown, LeanElement>();
  /** The last event: the next token may be more of the same text. */
  #last: HtmlEvent | undefined;
  #at = 0;
  /** The token that is handled, until it has become an event, and where it stands. */
  #token: Token.Token | undefined;
  #location: Token.LocationWithAttributes | undefined;

  constructor(source: string, attributes: boolean, take: TakeEvent) {
    let created = 0;
    const options: ParserOptions<DefaultTreeAdapterMap> = {
      sourceCodeLocationInfo: true,
      // Whoever translates a page wants what is in <noscript> translated too.
      scriptingEnabled: false,
      treeAdapter: {
        ...leanTree,
        createElement: (name, namespace, attrs) => {
          if (++created > MAX_ELEMENTS) this.#refuse(`the page has more than ${MAX_ELEMENTS} elements`);
          return leanTree.createElement(name, namespace, attrs);
        },
        setTemplateContent: (template, content) => {
          this.#owners.set(content, template);
          leanTree.setTemplateContent(template, content);
        },
      },
    };
    super(options);
    this.tokenizer = new TextTokenizer(this.options, this, attributes);
    this.#source = source;
    this.#take = take;
  }

  /** Gives away the last event. */
  finish(): void {
    if (this.#last) this.#take(this.#last);
    this.#last = undefined;
  }

  override onItemPush(...[node, id, isTop]: Parameters<Parser<DefaultTreeAdapterMap>['onItemPush']>): void {
    super.onItemPush(node, id, isTop);
    if (this.openElements.stackTop > MAX_DEPTH) this.#refuse(`elements nest deeper than ${MAX_DEPTH}`);
  }

  override onCharacter(token: Token.CharacterToken): void {
    this.#begin(token);
    super.onCharacter(token);
    this.#text(token);
  }

  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.#begin(token);
    super.onWhitespaceCharacter(token);
    this.#text(token);
  }

  override onNullCharacter(token: Token.CharacterToken): void {
    this.#begin(token);
    super.onNullCharacter(token);
    this.#text(token);
  }

  override onStartTag(token: Token.TagToken): void {
    this.#begin(token);
    const around = this.openElements.current;
    super.onStartTag(token);
    const location = this.#end(token);
    if (!location) return;
    const { tagName: name, attrs: attributes } = token;
    const current = this.openElements.current;
    const opened = current !== around && current?.nodeName.toLowerCase() === name.toLowerCase();
    const alone = !opened && (isVoid(name) || token.selfClosing || token.ackSelfClosing);
    const { translated } = opened ? this.#rulesAt() : rulesOf(name, attributes, this.#rulesAt());
    const tag = { attributes, locations: location.attrs ?? NO_LOCATIONS, translated };
    this.#add(alone ? 'alone' : 'open', location, name, tag);
  }

  override onEndTag(token: Token.TagToken): void {
    this.#begin(token);
    super.onEndTag(token);
    const location = this.#end(token);
    if (location) this.#add('close', location, token.tagName);
  }

  override onComment(token: Token.CommentToken): void {
    this.#begin(token);
    super.onComment(token);
    const location = this.#end(token);
    if (location) this.#add('comment', location, '');
  }

  override onDoctype(token: Token.DoctypeToken): void {
    this.#begin(token);
    super.onDoctype(token);
    const location = this.#end(token);
    if (location) this.#add('comment', location, '');
  }

  /** The parser would copy the place of a token into the tree: it is taken away until the token is handled. */
  #begin(token: Token.Token): void {
    const { location } = token;
    if (!location) return;
    this.#at = location.startOffset;
    this.#token = token;
    this.#location = location;
    token.location = null;
  }

  /** The parser handles a token again when it has changed its mode: the innermost time, the first to end, counts. */
  #end(token: Token.Token): Token.LocationWithAttributes | undefined {
    if (this.#token !== token) return undefined;
    this.#token = undefined;
    return this.#location;
  }

  /** A comment that the end of the page cuts off ends behind it, to the parser. */
  #endOf({ endOffset }: Token.Location): number {
    return Math.min(endOffset, this.#source.length);
  }

  /** Characters come in several tokens: together they are one text. */
  #text(token: Token.CharacterToken): void {
    const location = this.#end(token);
    const last = this.#last;
    if (!location || location.startOffset < (last?.end ?? 0)) return;
    if (last?.type === 'text' && last.end === location.startOffset) last.end = this.#endOf(location);
    else this.#add('text', location, '');
  }

  #add(type: HtmlEvent['type'], location: Token.Location, name: string, tag?: TagAttributes): void {
    if (location.startOffset < (this.#last?.end ?? 0)) return;
    if (this.#last) this.#take(this.#last);
    const current = this.openElements.current;
    const element = isElement(current) ? current : undefined;
    this.#last = {
      type,
      start: location.startOffset,
      end: this.#endOf(location),
      name,
      rules: this.#rulesAt(),
      host: element?.tagName ?? '',
      foreign: element !== undefined && element.namespaceURI !== html.NS.HTML,
      tag,
    };
  }

  #rulesAt(): TextRules {
    const { current } = this.openElements;
    return (isElement(current) && current.rules) || this.#readRules();
  }

  #readRules(): TextRules {
    const way: LeanElement[] = [];
    let rules: TextRules | undefined;
    let node: unknown = this.openElements.current;
    while (rules === undefined && isElement(node)) {
      rules = node.rules;
      if (!rules) way.push(node);
      node = this.#owners.get(node.parentNode) ?? node.parentNode;
    }
    rules ??= TOP_RULES;
    for (const element of way.reverse()) {
      rules = rulesOf(element.tagName.toLowerCase(), element.attrs, rules);
      element.rules = rules;
    }
    return rules;
  }

  #refuse(message: string): never {
    throw new DragomanError('limit_exceeded', message, { at: positionAt(this.#source, this.#at) });
  }
}

function isElement(node: unknown): node is LeanElement {
  return typeof node === 'object' && node !== null && 'tagName' in node;
}
