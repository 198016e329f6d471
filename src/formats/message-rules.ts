import type { BranchRule } from '../text/choice.ts';
import type { FindPluralKeys } from '../text/plural-keys.ts';
import type { Syntax } from '../text/syntax.ts';

/**
 * How the program that loads a file reads its messages. Known where the project shows its framework; a scan that gets
 * rules does not guess from the values.
 */
export interface MessageRules {
  /** Human-readable name of the notation, such as `i18next`. */
  readonly dialect: string;
  readonly syntaxOf: (value: string, key: readonly string[]) => Syntax;
  /** Whether the string at a key is a text. Default: each is. */
  readonly isText?: ((key: readonly string[]) => boolean) | undefined;
  /** How plural forms are written as separate entries. Default: plurals have no such entries. */
  readonly plurals?: FindPluralKeys | undefined;
  /** How the application takes one of the branches of a message. Default: as its syntax does. */
  readonly rule?: BranchRule | undefined;
  /** The same value in the notation of its syntax, where the program takes some characters for others. */
  readonly readAs?: ((value: string) => string) | undefined;
  /** Whether the program replaces `{name}`. Default: it may. */
  readonly hasNames?: boolean | undefined;
  /** Plain words such as `yes` and `on` in YAML are texts. Default: booleans, which they are to older readers. */
  readonly hasPlainWords?: boolean | undefined;
}
