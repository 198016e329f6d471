import type { MessageRules } from '../formats/message-rules.ts';
import { chooseSyntax } from '../text/message.ts';
import type { Syntax } from '../text/syntax.ts';

/** The rules of a framework that writes all messages in one notation; the others are for messages that it cannot read. */
export function messagesIn(
  dialect: string,
  syntax: Syntax,
  ...others: readonly Syntax[]
): () => MessageRules {
  const rules: MessageRules = {
    dialect,
    syntaxOf: (value) => (others.length === 0 ? syntax : chooseSyntax(value, syntax, ...others)),
  };
  return () => rules;
}
