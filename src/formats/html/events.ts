import {
  Parser,
  defaultTreeAdapter,
  html,
  type DefaultTreeAdapterMap,
  type ParserOptions,
  type Token,
} from 'parse5';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { isVoid, rulesOf, TOP_RULES, type TextRules } from './elements.ts';

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
  readonly tag?: TagAttributes;
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

type Element = DefaultTreeAdapterMap['element'];

export interface ReadHtml {
  readonly events: readonly HtmlEvent[];
  readonly document: DefaultTreeAdapterMap['document'];
}

/**
 * Reads a page as browsers do.
 *
 * @param text the page with its templates masked
 * @param source the page itself, for the lines of errors
 * @throws DragomanError `limit_exceeded` for a page that is too long, too deep or has too many elements.
 */
export function readHtml(text: string, source: string): ReadHtml {
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
  const reader = new Reader(source);
  reader.tokenizer.write(text, true);
  return { events: reader.events, document: reader.document };
}

const nothing = (): void => undefined;

/** The events say where texts and tags stand: the tree is wanted for its elements only, which halves the time. */
const WITHOUT_TEXT = {
  insertText: nothing,
  insertTextBefore: nothing,
  getNodeSourceCodeLocation: () => undefined,
  setNodeSourceCodeLocation: nothing,
  updateNodeSourceCodeLocation: nothing,
};

class Reader extends Parser<DefaultTreeAdapterMap> {
  readonly events: HtmlEvent[] = [];
  readonly #source: string;
  readonly #rules = new Map<Element, TextRules>();
  /** Whose content a fragment is: `<template>` keeps it apart from the tree. */
  readonly #owners = new Map<unknown, Element>();
  #at = 0;

  constructor(source: string) {
    let created = 0;
    const options: ParserOptions<DefaultTreeAdapterMap> = {
      sourceCodeLocationInfo: true,
      // Whoever translates a page wants what is in <noscript> translated too.
      scriptingEnabled: false,
      treeAdapter: {
        ...defaultTreeAdapter,
        ...WITHOUT_TEXT,
        createElement: (name, namespace, attributes) => {
          if (++created > MAX_ELEMENTS) this.#refuse(`the page has more than ${MAX_ELEMENTS} elements`);
          return defaultTreeAdapter.createElement(name, namespace, attributes);
        },
        setTemplateContent: (template, content) => {
          this.#owners.set(content, template);
          defaultTreeAdapter.setTemplateContent(template, content);
        },
      },
    };
    super(options);
    this.#source = source;
  }

  override onItemPush(...[node, id, isTop]: Parameters<Parser<DefaultTreeAdapterMap>['onItemPush']>): void {
    super.onItemPush(node, id, isTop);
    if (this.openElements.stackTop > MAX_DEPTH) this.#refuse(`elements nest deeper than ${MAX_DEPTH}`);
  }

  override onCharacter(token: Token.CharacterToken): void {
    this.#locate(token);
    super.onCharacter(token);
    this.#text(token);
  }

  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.#locate(token);
    super.onWhitespaceCharacter(token);
    this.#text(token);
  }

  override onNullCharacter(token: Token.CharacterToken): void {
    this.#locate(token);
    super.onNullCharacter(token);
    this.#text(token);
  }

  override onStartTag(token: Token.TagToken): void {
    this.#locate(token);
    const around = this.openElements.current;
    super.onStartTag(token);
    const { location, tagName: name } = token;
    if (!location) return;
    const current = this.openElements.current;
    const opened = current !== around && current?.nodeName.toLowerCase() === name.toLowerCase();
    const alone = !opened && (isVoid(name) || token.selfClosing || token.ackSelfClosing);
    const { translated } = opened ? this.#rulesAt() : rulesOf(name, token.attrs, this.#rulesAt());
    this.#add(alone ? 'alone' : 'open', location, name, {
      attributes: token.attrs,
      locations: location.attrs ?? {},
      translated,
    });
  }

  override onEndTag(token: Token.TagToken): void {
    this.#locate(token);
    super.onEndTag(token);
    if (token.location) this.#add('close', token.location, token.tagName);
  }

  override onComment(token: Token.CommentToken): void {
    this.#locate(token);
    super.onComment(token);
    if (token.location) this.#add('comment', token.location, '');
  }

  override onDoctype(token: Token.DoctypeToken): void {
    this.#locate(token);
    super.onDoctype(token);
    if (token.location) this.#add('comment', token.location, '');
  }

  #locate(token: Token.Token): void {
    this.#at = token.location?.startOffset ?? this.#at;
  }

  /** A comment that the end of the page cuts off ends behind it, to the parser. */
  #endOf({ endOffset }: Token.Location): number {
    return Math.min(endOffset, this.#source.length);
  }

  /** Characters come in many tokens: together they are one text. */
  #text({ location }: Token.CharacterToken): void {
    const last = this.events.at(-1);
    if (!location || location.startOffset < (last?.end ?? 0)) return;
    if (last?.type === 'text' && last.end === location.startOffset) last.end = this.#endOf(location);
    else this.#add('text', location, '');
  }

  /** The parser handles a token again when it has changed its mode: the innermost time, the first to end, counts. */
  #add(type: HtmlEvent['type'], location: Token.Location, name: string, tag?: TagAttributes): void {
    if (location.startOffset < (this.events.at(-1)?.end ?? 0)) return;
    const current = this.openElements.current;
    const element = isElement(current) ? current : undefined;
    this.events.push({
      type,
      start: location.startOffset,
      end: this.#endOf(location),
      name,
      rules: this.#rulesAt(),
      host: element?.tagName ?? '',
      foreign: element !== undefined && element.namespaceURI !== html.NS.HTML,
      ...(tag && { tag }),
    });
  }

  #rulesAt(): TextRules {
    const way: Element[] = [];
    let rules: TextRules | undefined;
    let node: unknown = this.openElements.current;
    while (rules === undefined && isElement(node)) {
      rules = this.#rules.get(node);
      if (!rules) way.push(node);
      node = this.#owners.get(node.parentNode) ?? node.parentNode;
    }
    rules ??= TOP_RULES;
    for (const element of way.reverse()) {
      rules = rulesOf(element.tagName.toLowerCase(), element.attrs, rules);
      this.#rules.set(element, rules);
    }
    return rules;
  }

  #refuse(message: string): never {
    throw new DragomanError('limit_exceeded', message, { at: positionAt(this.#source, this.#at) });
  }
}

function isElement(node: unknown): node is Element {
  return typeof node === 'object' && node !== null && 'tagName' in node;
}
