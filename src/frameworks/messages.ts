import type { MessageRules } from '../formats/message-rules.ts';
import { chooseSyntax } from '../text/message.ts';
import type { Syntax } from '../text/syntax.ts';

/**
 * The rules of a framework that writes all messages in one notation; the others are for messages that it cannot read.
 *
 * @param notation its name, or all that is known of it beside the syntax
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
