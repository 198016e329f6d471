import { adaptChoice, branchesFor, splitConditions, type BranchRule } from './choice.ts';
import { directivesOf } from './directives.ts';
import { missingBranch } from './complex.ts';
import { escapeWords, type WordStyle, writePattern } from './write.ts';
import { type MessageNode, type MessageProblem, type TextNode, TOP } from './node.ts';
import { isPlain, parseSpecial, type Parsed } from './parse.ts';
import { namePlaceholders, planPattern, type PatternPlan } from './plan.ts';
import type { Syntax } from './syntax.ts';
import { type TaggedText, encodeWords, tokenize } from './tagged.ts';
import { verify, verifyAgainst } from './verify.ts';
import { hasWords } from './words.ts';

/** A value, split into syntax and words. Immutable; nothing to close. */
export interface Message {
  readonly value: string;
  readonly syntax: Syntax;
  /** The application's rule: see {@link parseMessage}. */
  readonly rule?: BranchRule | undefined;
  /**
   * Why the value is invalid in its syntax. An invalid value has no segments, because its words cannot be identified.
   */
  readonly problem?: string;
  /**
   * The texts for an engine and this target language, in reading order. Excludes surrounding white space and texts
   * without letters. Branches of ICU plurals are those of the target language.
   */
  segments(locale: string): readonly TaggedText[];
  /**
   * The names of the placeholders in the segments of this target language, ordered by segment and id, without notation:
   * `{{ count }}` and `%(count)d` are both `count`.
   */
  placeholders(locale: string): readonly string[];
  /**
   * The value with `translations` for the segments of `locale`: words are escaped for the syntax, and everything else
   * is kept byte for byte. With the segments themselves, the resulting value differs at most in plural branches.
   *
   * @throws RangeError without exactly one well-formed translation per segment: a defect of the caller
   */
  assemble(locale: string, translations: readonly TaggedText[]): string;
  /** Verifies a value as a translation of this one, without parsing this one again. */
  problemsOf(translation: string, locale: string): readonly MessageProblem[];
}

/**
 * Parses a value. Never throws; linear in the length of the value.
 *
 * @param rule the application's rule for branches between bars. Default: the syntax's
 */
export function parseMessage(value: string, syntax: Syntax, rule?: BranchRule): Message {
  if (isPlain(value, syntax)) return new PlainMessage(value, syntax);
  const parsed = parseSpecial(value, syntax);
  const problem = parsed.problem ?? incompleteIn(parsed, syntax);
  if (problem === undefined) return new ParsedMessage(value, syntax, parsed, rule);
  return {
    value,
    syntax,
    problem,
    segments: () => [],
    placeholders: () => [],
    assemble: () => value,
    problemsOf: (translation, locale) => verify(value, translation, { syntax, locale, rule }),
  };
}

/** Matches arguments that ICU accepts, and nothing that it could reject: true for most values with braces. */
const SIMPLE_ARGUMENTS = /^[^{}']*(?:\{\w+\}[^{}']*)*$/;

/**
 * The first of the given syntaxes that can parse a value, where more specific ones are given first. If none can, the
 * value itself is invalid, and the first syntax is returned. A file of one dialect may hold values of another, which
 * must not be rejected because of their neighbours.
 */
export function chooseSyntax(value: string, syntax: Syntax, ...others: readonly Syntax[]): Syntax {
  // Without a brace, every syntax accepts the value.
  if (!value.includes('{') || SIMPLE_ARGUMENTS.test(value)) return syntax;
  const isReadable = (one: Syntax): boolean => parseMessage(value, one).problem === undefined;
  return isReadable(syntax) ? syntax : (others.find(isReadable) ?? syntax);
}

interface MessagePlan {
  readonly locale: string;
  readonly parts: readonly { readonly separator: string; readonly pattern: PatternPlan }[];
  readonly segments: readonly TaggedText[];
}

class ParsedMessage implements Message {
  readonly value: string;
  readonly syntax: Syntax;
  readonly #parsed: Parsed;
  readonly rule: BranchRule | undefined;
  #plan: MessagePlan | undefined;

  constructor(value: string, syntax: Syntax, parsed: Parsed, rule: BranchRule | undefined) {
    this.value = value;
    this.syntax = syntax;
    this.#parsed = parsed;
    this.rule = rule;
  }

  segments(locale: string): readonly TaggedText[] {
    return this.#planFor(locale).segments;
  }

  placeholders(locale: string): readonly string[] {
    return namePlaceholders(this.#planFor(locale).parts.map(({ pattern }) => pattern));
  }

  assemble(locale: string, translations: readonly TaggedText[]): string {
    const plan = this.#planFor(locale);
    if (translations.length !== plan.segments.length) {
      throw new RangeError(`${translations.length} translations for ${plan.segments.length} segments`);
    }
    const style = styleOf(this.#parsed, this.syntax);
    let value = '';
    for (const { separator, pattern } of plan.parts)
      value += separator + writePattern(pattern, translations, style);
    return value;
  }

  problemsOf(translation: string, locale: string): readonly MessageProblem[] {
    const source = { value: this.value, parsed: this.#parsed };
    return verifyAgainst(source, translation, { syntax: this.syntax, locale, rule: this.rule });
  }

  #planFor(locale: string): MessagePlan {
    if (this.#plan?.locale === locale) return this.#plan;
    const segments: TaggedText[] = [];
    const choice = { syntax: this.syntax, locale, rule: this.rule };
    const branches = branchesFor(this.#parsed.parts, choice);
    const adapted = splitConditions(adaptChoice(this.#parsed.parts, branches), this.syntax);
    const parts = adapted.map((part) => ({
      separator: part.separator,
      pattern: planPattern(part.nodes, TOP, locale, segments),
    }));
    this.#plan = { locale, parts, segments };
    return this.#plan;
  }
}

function incompleteIn({ parts }: Parsed, syntax: Syntax): string | undefined {
  for (const { nodes } of parts) {
    const problem = missingBranch(nodes, syntax);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function styleOf(parsed: Parsed, syntax: Syntax): WordStyle {
  const directives = directivesOf(syntax);
  // If the syntax has no directives, the value's conversions show whether a percent sign is doubled.
  const sign = directives ? (directives.doubled ?? '') : '%';
  const author = new AuthorStyle(sign);
  for (const { nodes } of parsed.parts) author.add(nodes);
  return {
    syntax,
    quoting: parsed.quoting,
    doubled: author.hasSign || (!directives && !author.hasConversion) ? '' : sign,
    literals: !author.hasAt,
    bareAngles: author.hasBareAngle,
    greater: author.hasGreater,
  };
}

/** How the author of a value writes its words, including those of branches. */
class AuthorStyle {
  hasSign = false;
  hasAt = false;
  hasBareAngle = false;
  hasGreater = false;
  hasConversion = false;
  readonly #sign: string;

  /** @param sign the character that is doubled to represent itself */
  constructor(sign: string) {
    this.#sign = sign;
  }

  add(nodes: readonly MessageNode[]): void {
    for (const node of nodes) {
      if (node.type === 'text') this.#addText(node);
      else if (node.type === 'code') this.hasConversion ||= node.kind === 'printf' || node.raw === '%%';
      else if (node.type === 'complex') for (const { body } of node.branches) this.add(body);
      else if (node.aside) this.add(node.aside.nodes);
    }
  }

  #addText({ raw, text }: TextNode): void {
    this.hasSign ||= text.includes(this.#sign);
    this.hasAt ||= text.includes('@');
    this.hasBareAngle ||= raw.includes('<') && /<\p{L}/u.test(raw);
    this.hasGreater ||= raw.includes('&gt;');
  }
}

const NOWHERE = { before: '', after: '' };

/** A value that only consists of words, as most do. Behaves like any message, without planning. */
class PlainMessage {
  readonly value: string;
  readonly syntax: Syntax;

  constructor(value: string, syntax: Syntax) {
    this.value = value;
    this.syntax = syntax;
  }

  segments(): readonly TaggedText[] {
    return hasWords(this.value) ? [encodeWords(this.value.trim())] : [];
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
    const text = escapeWords(words, plainStyle(this.syntax), TOP, NOWHERE);
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

function plainStyle(syntax: Syntax): WordStyle {
  return {
    syntax,
    quoting: syntax === 'icu' ? 'icu' : 'none',
    doubled: directivesOf(syntax)?.doubled ?? '',
    literals: true,
    bareAngles: false,
    greater: false,
  };
}
