import type { Document, Format, RetargetOptions } from '../format.ts';
import { removeEntries, wholeKeys } from '../entry-changes.ts';
import { indentAt, indentationStart, insertAt, lineEndOf, removeBlocks } from '../lines.ts';
import { insert } from './insert.ts';
import { scan } from './scan.ts';
import { type TomlForm, type TomlTree, visitMessages } from './tree.ts';
import type { Edit } from '../../base/span.ts';
import { pluralOrder } from '../../text/plural.ts';
import { goPlurals, adaptPlural } from '../../text/plural-keys.ts';

/** TOML 1.0, with the messages of go-i18n and Hugo. A file never names its language. */
export const toml: Format<TomlTree> = {
  scan,
  retarget,
  insert,
  remove: (document, keys) => removeEntries(document, [...keys, ...wholeKeys(document, keys)]),
};

/**
 * Gives messages with several plural forms the forms of the target language. Missing ones start as copies of `other`.
 * Forms that the language lacks are removed from a new file and stay in an existing one. A message with a single form
 * is not a plural.
 */
function retarget(document: Document<TomlTree>, { locale, role, like }: RetargetOptions): readonly Edit[] {
  const { text } = document;
  const standing = role === 'existing' ? document : like;
  const names = standing && new Set(standing.slots.map(({ key }) => JSON.stringify(key)));
  const edits: Edit[] = [];
  visitMessages(text, ({ key, forms }) => {
    const keys = forms.map(({ category }) => [...key, category]);
    const stands = (name: string): boolean => names?.has(JSON.stringify([...key, name])) ?? true;
    const { removed, added } = adaptPlural(goPlurals(keys, locale), locale, stands);
    const gone = role === 'existing' ? [] : removed.flatMap((place) => forms[place] ?? []);
    edits.push(...removeForms(text, gone));
    const kept = forms.filter((form) => !gone.includes(form));
    for (const { name, model } of added) {
      const form = forms[model];
      if (form) edits.push(copyForm(text, kept, form, name));
    }
  });
  return edits;
}

/** Whether a form shares its line with other forms, separated by commas. */
const isInline = (text: string, { span }: TomlForm): boolean =>
  indentationStart(text, span.start) === undefined;

function removeForms(text: string, forms: readonly TomlForm[]): readonly Edit[] {
  const lines = forms.filter((form) => !isInline(text, form)).map(({ span }) => span);
  const edits = forms.flatMap((form): readonly Edit[] => {
    const { start, end } = form.span;
    const comma = isInline(text, form) ? /^[ \t]*,[ \t]*/.exec(text.slice(end)) : null;
    return comma ? [{ span: { start, end: end + comma[0].length }, text: '' }] : [];
  });
  return [...removeBlocks(text, lines), ...edits];
}

/** Inserts above the first form that follows in CLDR's order, otherwise above `other`. */
function copyForm(text: string, kept: readonly TomlForm[], model: TomlForm, category: string): Edit {
  const next = kept.find((form) => pluralOrder(form.category) > pluralOrder(category)) ?? model;
  const { start, end } = model.span;
  const behindName = text.slice(model.nameEnd, end);
  if (isInline(text, next)) return insertAt(next.span.start, `${category}${behindName}, `);
  const before = indentationStart(text, next.span.start) ?? next.span.start;
  const indent = indentAt(text, start) ?? '';
  return insertAt(before, indent + category + behindName + lineEndOf(text));
}
