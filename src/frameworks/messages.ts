import type { MessageRules } from '../formats/message-rules.ts';
import { chooseSyntax } from '../text/message.ts';
import type { Syntax } from '../text/syntax.ts';

/** Messages for PHP's `intl` extension: in ICU itself, apostrophes quote braces and nothing else. */
export const OF_INTL = {
  dialect: 'ICU',
  readAs: (value: string): string => value.replace(/'(?=[<>])/g, '’'),
};

/** ICU messages of programs in JavaScript, whose readers of YAML follow version 1.2. */
export const ICU_OF_SCRIPTS = { dialect: 'ICU', hasPlainWords: true };

/**
 * The rules of a framework with one notation for all messages.
 *
 * @param notation its name, or all its properties besides the syntax
 * @param others notations of messages that `syntax` cannot parse
 */
export function messagesIn(
  notation: string | Omit<MessageRules, 'syntaxOf'>,
  syntax: Syntax,
  ...others: readonly Syntax[]
): () => MessageRules {
  const rules: MessageRules = {
    ...(typeof notation === 'string' ? { dialect: notation } : notation),
    syntaxOf: (value) => (others.length === 0 ? syntax : chooseSyntax(value, syntax, ...others)),
  };
  return () => rules;
}
