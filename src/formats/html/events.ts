import {
  Parser,
  html,
  type DefaultTreeAdapterMap,
  type ParserOptions,
  Token,
  Tokenizer,
  type TokenHandler,
  type TokenizerOptions,
} from 'parse5';
import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { isVoid, rulesOf, TOP_RULES, type TextRules } from './elements.ts';
import { leanTree, type LeanElement } from './lean-tree.ts';

/** A piece of a page, as parsed. In order and disjoint; only malformed input lies between two events. */
export interface HtmlEvent {
  readonly type: 'text' | 'open' | 'close' | 'alone' | 'comment';
  readonly start: number;
  end: number;
  /** The name of a tag, in lower case. */
  readonly name: string;
  /** The rules of a text, or those after a tag. */
  readonly rules: TextRules;
  /** Name of the element that contains a text, or that is open after a tag. */
  readonly host: string;
  /** Whether SVG or MathML begins or continues after it. */
  readonly foreign: boolean;
  readonly tag: TagAttributes | undefined;
}

export interface TagAttributes {
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  /** The location of each attribute, by name. */
  readonly locations: Readonly<Record<string, Token.Location>>;
  /** Whether attribute values are for people. */
  readonly translated: boolean;
}

/** Browsers have the same limit; parsing time grows with the depth. */
const MAX_DEPTH = 512;
const MAX_ELEMENTS = 1_000_000;
/** The maximum length in UTF-16 code units. */
const MAX_LENGTH = 10 * 1024 * 1024;

/** Receives the pieces of a page in order; the reader keeps none of them. */
export type TakeEvent = (event: HtmlEvent) => void;

export interface ReadHtmlOptions {
  /** The original page, for line numbers in errors, if its templates are masked. */
  readonly source: string;
  /** Whether attributes are located, too. */
  readonly attributes?: boolean | undefined;
}

/**
 * Parses a page as browsers do and passes its pieces to `take`.
 *
 * @returns the tree of its elements
 * @throws DragomanError `limit_exceeded` for a page that is too long, too deep or has too many elements
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
  /** The owner of each fragment: `<template>` keeps its content outside the tree. */
  readonly #owners = new Map<unknown, LeanElement>();
  /** The last event: the next token may continue its text. */
  #last: HtmlEvent | undefined;
  #at = 0;
  /** The current token and its location, until it becomes an event. */
  #token: Token.Token | undefined;
  #location: Token.LocationWithAttributes | undefined;

  constructor(source: string, attributes: boolean, take: TakeEvent) {
    let created = 0;
    const options: ParserOptions<DefaultTreeAdapterMap> = {
      sourceCodeLocationInfo: true,
      // The content of <noscript> is also translated.
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

  /** Emits the last event. */
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

  /** Hides the token's location until the token is handled; otherwise the parser would copy it into the tree. */
  #begin(token: Token.Token): void {
    const { location } = token;
    if (!location) return;
    this.#at = location.startOffset;
    this.#token = token;
    this.#location = location;
    token.location = null;
  }

  /** The parser handles a token again after changing its mode. Only the innermost call, which ends first, is used. */
  #end(token: Token.Token): Token.LocationWithAttributes | undefined {
    if (this.#token !== token) return undefined;
    this.#token = undefined;
    return this.#location;
  }

  /** The parser places the end of a truncated comment after the end of the page. */
  #endOf({ endOffset }: Token.Location): number {
    return Math.min(endOffset, this.#source.length);
  }

  /** Several character tokens form one text. */
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

/** Characters that neither end a text nor need the preprocessor, which handles line breaks and surrogate pairs. */
const PLAIN_TEXT = /[^<&\0\r\n\ud800-\udfff]+/y;
const PLAIN_VALUE = /[^"&\0\r\n\ud800-\udfff]+/y;

/**
 * A tokenizer for readers that need the places of texts, not their content: words and the spaces between them form one
 * token, which starts at the first character other than a space. Only the tree of elements uses the start.
 */
class TextTokenizer extends Tokenizer {
  /** Undefined while the base constructor runs, which requests a location. */
  declare private readonly locatesAttributes: boolean | undefined;

  constructor(options: TokenizerOptions, handler: TokenHandler, locatesAttributes: boolean) {
    super(options, handler);
    this.locatesAttributes = locatesAttributes;
  }

  protected override getCurrentLocation(offset: number): Token.Location | null {
    // While a tag is read, only attribute locations are requested.
    if (this.locatesAttributes === false && offset === 0 && this.currentToken !== null) return null;
    return super.getCurrentLocation(offset);
  }

  protected override _emitCodePoint(codePoint: number): void {
    if (codePoint !== 0 && this.currentCharacterToken?.type === Token.TokenType.CHARACTER) {
      this._extendRun(codePoint);
    } else super._emitCodePoint(codePoint);
  }

  /** The characters of words are not needed, so none are copied. */
  protected override _flushRun(text: string): void {
    if (this.currentToken === null && this.currentCharacterToken?.type === Token.TokenType.CHARACTER)
      this.runStart = this.runEnd;
    else super._flushRun(text);
  }

  protected override _stateData(codePoint: number): void {
    super._stateData(codePoint);
    if (this.currentCharacterToken?.type === Token.TokenType.CHARACTER) this.#skip(PLAIN_TEXT);
  }

  protected override _stateAttributeValueDoubleQuoted(codePoint: number): void {
    super._stateAttributeValueDoubleQuoted(codePoint);
    this.#skip(PLAIN_VALUE);
  }

  /** Skips characters that the state would add one by one to the open run. */
  #skip(plain: RegExp): void {
    const { preprocessor } = this;
    if (this.runEnd !== preprocessor.pos + 1 || this.runEnd === this.runStart) return;
    plain.lastIndex = this.runEnd;
    if (!plain.test(preprocessor.html)) return;
    this.runEnd = plain.lastIndex;
    preprocessor.pos = this.runEnd - 1;
  }
}
