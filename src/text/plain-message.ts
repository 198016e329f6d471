import { directivesOf } from './directives.ts';
import { escapeWords, type WordStyle } from './escape.ts';
import { TOP } from './node.ts';
import type { MessageProblem } from './problem.ts';
import type { Syntax } from './syntax.ts';
import { encodeWords, tokenize, type TaggedText } from './tagged.ts';
import { verify } from './verify.ts';

const LETTER = /\p{L}/u;
const NOWHERE = { before: '', after: '' };

/** A value of nothing but words, as most are: the same promises as any message, without planning. */
export class PlainMessage {
  readonly value: string;
  readonly syntax: Syntax;

  constructor(value: string, syntax: Syntax) {
    this.value = value;
    this.syntax = syntax;
  }

  segments(): readonly TaggedText[] {
    return LETTER.test(this.value) ? [encodeWords(this.value.trim())] : [];
  }

  placeholders(): readonly string[] {
    return [];
  }

  problemsOf(translation: string, locale: string): readonly MessageProblem[] {
    return verify(this.value, translation, { syntax: this.syntax, locale });
  }

  assemble(_locale: string, translations: readonly TaggedText[]): string {
    const segments = this.segments();
    if (translations.length !== segments.length) {
      throw new RangeError(`${translations.length} translations for ${segments.length} segments`);
    }
    const [translation] = translations;
    if (translation === undefined || translation === segments[0]) return this.value;
    const words = /[&<>]/.test(translation) ? wordsOf(translation) : translation;
    const start = this.value.length - this.value.trimStart().length;
    const end = this.value.trimEnd().length;
    const text = escapeWords(words, styleOf(this.syntax), TOP, NOWHERE);
    return this.value.slice(0, start) + text + this.value.slice(end);
  }
}

function wordsOf(translation: TaggedText): string {
  const [token, ...more] = tokenize(translation) ?? [];
  if (token?.type !== 'words' || more.length > 0) {
    throw new RangeError('a translation of plain words is not well-formed tagged text without placeholders');
  }
  return token.text;
}

function styleOf(syntax: Syntax): WordStyle {
  return {
    syntax,
    quoting: syntax === 'icu' ? 'icu' : 'none',
    doubled: directivesOf(syntax)?.doubled ?? '',
    literals: true,
    bareAngles: false,
    greater: false,
  };
}
