import type { FormatId } from '../formats/registry.ts';

/** What lint knows of a framework beside its formats and the syntax of its messages. */
export interface LintRules {
  /** Whether it is known how messages are read, and with which arguments. Default: where `messagesOf` says it. */
  readonly isCertain?: boolean;
  /** Arguments that the program has for the text of a key, even if its source does not use them: names, or conversions. */
  readonly supplied?: (key: readonly string[], path: string) => ReadonlySet<string> | undefined;
  /** Those that the program shows beside the text, so that it may leave them out. */
  readonly spared?: (key: readonly string[]) => ReadonlySet<string> | undefined;
  /** Plurals whose forms are entries of the file. Absent: lint does not judge which of them there are. */
  readonly plurals?: PluralEntries;
  /** Of a key that stands twice, the program takes the last one. Default: as its format says. */
  readonly takesLast?: boolean;
  /** The name of the message that a key is a note to. */
  readonly messageOf?: (name: string) => string | undefined;
  /** The first thing in the notation of a text, as the file has it, that the program reads otherwise than it looks. */
  readonly findFault?: (notation: string) => NotationFault | undefined;
}

export interface PluralEntries {
  /** Whether a plural without `other` is refused even in languages in which no whole number selects it. */
  readonly needsOther?: (format: FormatId) => boolean;
  /** Whether `zero` is shown for the number 0 in every language. */
  readonly showsZero?: boolean;
}

export interface NotationFault {
  readonly rule: 'unescaped-apostrophe';
  readonly offset: number;
  readonly detail: string;
}
