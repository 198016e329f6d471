import type { MessageRules } from '../formats/message-rules.ts';
import { chooseSyntax } from '../text/message.ts';
import type { Syntax } from '../text/syntax.ts';

/** Messages that PHP's extension intl reads: ICU itself quotes braces by apostrophes, and nothing else. */
export const OF_INTL = {
  dialect: 'ICU',
  readAs: (value: string): string => value.replace(/'(?=[<>])/g, '’'),
};

/**
 * The rules of a framework that writes all messages in one notation; the others are for messages that it cannot parse.
 *
 * @param notation its name, or all its properties besides the syntax
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
