import { Token, Tokenizer, type TokenHandler, type TokenizerOptions } from 'parse5';

/** What neither ends a text nor needs the preprocessor: it reads line breaks and counts surrogate pairs. */
const PLAIN = /[^<&\0\r\n\ud800-\udfff]+/y;

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

  protected override _stateData(codePoint: number): void {
    super._stateData(codePoint);
    const { preprocessor } = this;
    if (this.currentCharacterToken?.type !== Token.TokenType.CHARACTER) return;
    if (this.runEnd !== preprocessor.pos + 1) return;
    PLAIN.lastIndex = this.runEnd;
    if (!PLAIN.test(preprocessor.html)) return;
    this.runEnd = PLAIN.lastIndex;
    preprocessor.pos = this.runEnd - 1;
  }
}
