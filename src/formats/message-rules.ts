import type { BranchRule } from '../text/choice.ts';
import type { FindPluralKeys } from '../text/plural-keys.ts';
import type { Syntax } from '../text/syntax.ts';

/**
 * How the program that loads a file reads its messages. Set if the project shows its framework; a scan with rules does
 * not infer them from the values.
 */
export interface MessageRules {
  /** Display name of the notation, such as `i18next`. */
  readonly dialect: string;
  readonly syntaxOf: (value: string, key: readonly string[]) => Syntax;
  /** Whether the string at a key is a text. Default: always. */
  readonly isText?: ((key: readonly string[]) => boolean) | undefined;
  /** How plural forms are written as separate entries. Default: not at all. */
  readonly plurals?: FindPluralKeys | undefined;
  /** How the application chooses a branch of a message. Default: by the rules of its syntax. */
  readonly rule?: BranchRule | undefined;
  /** Converts a value to the notation of its syntax, if the program reads some characters differently. */
  readonly readAs?: ((value: string) => string) | undefined;
  /** Whether the program replaces `{name}`. Default: possibly. */
  readonly hasNames?: boolean | undefined;
  /** Whether plain words such as `yes` and `on` in YAML are texts. Default: they are booleans, as in older readers. */
  readonly hasPlainWords?: boolean | undefined;
  /** XLIFF: whether a unit is looked up by its name or, without one, its source text. Default: by its file and id. */
  readonly unitsByName?: boolean | undefined;
}
