import type { FormatId } from '../formats/registry.ts';
import type { Syntax } from '../text/syntax.ts';

/** Facts about a framework for lint, besides its formats and message syntax. */
export interface LintRules {
  /** Whether the notation and arguments of messages are known. Default: whether `messagesOf` returns rules. */
  readonly isCertain?: boolean;
  /**
   * Arguments, names or conversions, that the program supplies for a key's text, even if its source does not use them.
   */
  readonly supplied?: (key: readonly string[], path: string) => ReadonlySet<string> | undefined;
  /** Arguments that the program displays next to the text, so the text may omit them. */
  readonly spared?: (key: readonly string[]) => ReadonlySet<string> | undefined;
  /** Whether the program itself replaces an argument in this notation. Default: every argument. */
  readonly reads?: (raw: string, syntax: Syntax) => boolean;
  /** Matches arguments that are replaced with another text; the first group is its key. */
  readonly references?: RegExp;
  /** Whether the program replaces unknown elements without attributes with their content. */
  readonly unwrapsElements?: boolean;
  /** Plurals whose forms are separate entries. If absent, lint does not check them. */
  readonly plurals?: PluralEntries;
  /** Whether the program uses the last value of a duplicate key. Default: depends on the format. */
  readonly takesLast?: boolean;
  /** The name of the message on which a key is a note. */
  readonly messageOf?: (name: string) => string | undefined;
  /**
   * The first part of a text, as written in the file, that the program reads differently from what its author meant.
   */
  readonly findFault?: (notation: string) => EscapingFault | undefined;
}

export interface PluralEntries {
  /** Whether a plural without `other` is rejected even in languages in which no whole number selects it. */
  readonly needsOther?: (format: FormatId) => boolean;
  /** Whether `zero` is displayed for the number 0 in every language. */
  readonly showsZero?: boolean;
}

export interface EscapingFault {
  readonly rule: 'unescaped-apostrophe';
  readonly offset: number;
  readonly detail: string;
}
