import type { Syntax } from '../text/syntax.ts';

/**
 * How the program that loads a file reads its messages. Known where the project shows its framework; a scan that gets
 * rules does not guess from the values.
 */
export interface MessageRules {
  /** Human-readable name of the notation, such as `i18next`. */
  readonly dialect: string;
  readonly syntaxOf: (value: string, key: readonly string[]) => Syntax;
}
