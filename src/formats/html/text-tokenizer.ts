import { Token, Tokenizer, type TokenHandler, type TokenizerOptions } from 'parse5';

/** Characters that neither end a text nor need the preprocessor, which handles line breaks and surrogate pairs. */
const PLAIN_TEXT = /[^<&\0\r\n\ud800-\udfff]+/y;
const PLAIN_VALUE = /[^"&\0\r\n\ud800-\udfff]+/y;

/**
 * A tokenizer for readers that need the places of texts, not their content: words and the spaces between them form one
 * token, which starts at the first non-space. This only matters to the tree of elements.
 */
export class TextTokenizer extends Tokenizer {
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
