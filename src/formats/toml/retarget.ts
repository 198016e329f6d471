import type { AST } from 'toml-eslint-parser';
import type { Edit } from '../../base/span.ts';
import { pluralCategories, pluralOrder } from '../../text/plural.ts';
import type { Document, RetargetOptions } from '../format.ts';
import { indentationStart, insertAt, lineEndOf, removeBlocks } from '../lines.ts';
import { messagesOf, nameOf, spanOf, type TomlMessage, type TomlTree } from './tree.ts';

/**
 * Gives messages with several plural forms those of the target language. What is missing starts as a copy of `other`; what
 * the language does not have goes from a new file, and stays in one that exists. A message with one form has no plural.
 */
export function retarget(document: Document<TomlTree>, options: RetargetOptions): readonly Edit[] {
  const { text, tree } = document;
  return messagesOf(tree.program).flatMap((message) => retargetMessage(text, message, options));
}

function retargetMessage(
  text: string,
  { forms }: TomlMessage,
  { locale, role }: RetargetOptions,
): readonly Edit[] {
  const model = forms.find((form) => nameOf(form) === 'other');
  // In brackets forms have commas between them; such messages keep their forms.
  const isSpread = forms.every((form) => indentationStart(text, spanOf(form).start) !== undefined);
  if (!model || forms.length < 2 || !isSpread) return [];
  const wanted = pluralCategories(locale);
  const kept = role === 'existing' ? forms : forms.filter((form) => wanted.includes(nameOf(form)));
  const edits = [
    ...removeBlocks(
      text,
      forms.filter((form) => !kept.includes(form)).map((form) => spanOf(form)),
    ),
  ];
  for (const category of wanted) {
    if (!kept.some((form) => nameOf(form) === category)) edits.push(copyForm(text, kept, model, category));
  }
  return edits;
}

/** Above the first form that comes later in CLDR's order, else above the one for all other numbers. */
function copyForm(
  text: string,
  kept: readonly AST.TOMLKeyValue[],
  model: AST.TOMLKeyValue,
  category: string,
): Edit {
  const next = kept.find((form) => pluralOrder(nameOf(form)) > pluralOrder(category)) ?? model;
  const { start, end } = spanOf(model);
  const before = indentationStart(text, spanOf(next).start) ?? spanOf(next).start;
  const indent = text.slice(indentationStart(text, start) ?? start, start);
  const line = indent + category + text.slice(spanOf(model.key).end, end);
  return insertAt(before, line + lineEndOf(text));
}
