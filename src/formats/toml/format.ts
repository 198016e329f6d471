import type { Document, Format, RetargetOptions } from '../format.ts';
import { planRemovals, wholeKeys } from '../graft.ts';
import { indentationStart, insertAt, lineEndOf, removeBlocks } from '../lines.ts';
import { insert } from './insert.ts';
import { read, scan } from './scan.ts';
import { type TomlForm, type TomlMessage, type TomlTree, visitMessages } from './tree.ts';
import type { Edit } from '../../base/span.ts';
import { pluralCategories, pluralOrder } from '../../text/plural.ts';

/** TOML 1.0, with the messages of go-i18n and Hugo. A file never names its language. */
export const toml: Format<TomlTree> = {
  scan,
  read,
  retarget,
  insert,
  remove: (document, keys) =>
    removeBlocks(
      document.text,
      planRemovals(document.entries, [...keys, ...wholeKeys(document, keys)]).map(({ span }) => span),
    ),
};

/**
 * Gives messages with several plural forms those of the target language. What is missing starts as a copy of `other`; what
 * the language does not have goes from a new file, and stays in one that exists. A message with one form has no plural.
 */
function retarget({ text }: Document<TomlTree>, options: RetargetOptions): readonly Edit[] {
  const edits: Edit[] = [];
  visitMessages(text, (message) => void edits.push(...retargetMessage(text, message, options)));
  return edits;
}

function retargetMessage(
  text: string,
  { forms }: TomlMessage,
  { locale, role }: RetargetOptions,
): readonly Edit[] {
  const model = forms.find(({ category }) => category === 'other');
  // In brackets forms have commas between them; such messages keep their forms.
  const isSpread = forms.every(({ span }) => indentationStart(text, span.start) !== undefined);
  if (!model || forms.length < 2 || !isSpread) return [];
  const wanted = pluralCategories(locale);
  const kept = role === 'existing' ? forms : forms.filter((form) => wanted.includes(form.category));
  const edits = [
    ...removeBlocks(
      text,
      forms.filter((form) => !kept.includes(form)).map(({ span }) => span),
    ),
  ];
  for (const category of wanted) {
    if (!kept.some((form) => form.category === category)) edits.push(copyForm(text, kept, model, category));
  }
  return edits;
}

/** Above the first form that comes later in CLDR's order, else above the one for all other numbers. */
function copyForm(text: string, kept: readonly TomlForm[], model: TomlForm, category: string): Edit {
  const { span } = kept.find((form) => pluralOrder(form.category) > pluralOrder(category)) ?? model;
  const { start, end } = model.span;
  const before = indentationStart(text, span.start) ?? span.start;
  const indent = text.slice(indentationStart(text, start) ?? start, start);
  const line = indent + category + text.slice(model.nameEnd, end);
  return insertAt(before, line + lineEndOf(text));
}
