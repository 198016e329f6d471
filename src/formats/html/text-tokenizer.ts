import { Token, Tokenizer, type TokenHandler, type TokenizerOptions } from 'parse5';

/** What neither ends a text nor needs the preprocessor, which reads line breaks and counts surrogate pairs. */
const PLAIN_TEXT = /[^<&\0\r\n\ud800-\udfff]+/y;
const PLAIN_VALUE = /[^"&\0\r\n\ud800-\udfff]+/y;

/**
 * The parser's tokenizer for readers that want to know where texts stand, not what is in them: words and the spaces
 * between them are one token, which begins with what is no space. For the tree of elements only that makes a difference.
 */
export class TextTokenizer extends Tokenizer {
  /** Undefined as long as the constructor of the base runs, which asks for a location. */
  declare private readonly locatesAttributes: boolean | undefined;

  constructor(options: TokenizerOptions, handler: TokenHandler, locatesAttributes: boolean) {
    super(options, handler);
    this.locatesAttributes = locatesAttributes;
  }

  protected override getCurrentLocation(offset: number): Token.Location | null {
    // The only places that are asked for while a tag is read are those of its attributes.
    if (this.locatesAttributes === false && offset === 0 && this.currentToken !== null) return null;
    return super.getCurrentLocation(offset);
  }

  protected override _emitCodePoint(codePoint: number): void {
    if (codePoint !== 0 && this.currentCharacterToken?.type === Token.TokenType.CHARACTER) {
      this._extendRun(codePoint);
    } else super._emitCodePoint(codePoint);
  }

  /** Of words nobody asks for the characters: none are copied. */
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

  /** Goes over characters that the state would take one by one into the run that it has begun. */
  #skip(plain: RegExp): void {
    const { preprocessor } = this;
    if (this.runEnd !== preprocessor.pos + 1 || this.runEnd === this.runStart) return;
    plain.lastIndex = this.runEnd;
    if (!plain.test(preprocessor.html)) return;
    this.runEnd = plain.lastIndex;
    preprocessor.pos = this.runEnd - 1;
  }
}
