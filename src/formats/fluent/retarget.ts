import type { Pattern, SelectExpression, Variant } from '@fluent/syntax';
import type { Edit } from '../../base/span.ts';
import { isTakenExactly, pluralCategories, pluralOrder, requiredCategories } from '../../text/plural.ts';
import type { Document, RetargetOptions } from '../format.ts';
import { blankEnd, insertAt, lineEndOf } from '../lines.ts';
import { isPluralSelect, keyOf, shiftSpan, readParts, selectIn, spanOf } from './resource.ts';
import type { FluentTree } from './scan.ts';

/**
 * Gives every plural selection the target language's categories. Missing ones start as copies of `other`. Categories
 * that the language lacks are removed from a new file, except the default, and stay in an existing one.
 */
export function retarget({ text }: Document<FluentTree>, options: RetargetOptions): readonly Edit[] {
  const edits: Edit[] = [];
  for (const part of readParts(text)) {
    for (const message of part.body) {
      if (message.type !== 'Message') continue;
      const found = [message.value, ...message.attributes.map(({ value }) => value)].flatMap((pattern) =>
        retargetPattern(part.text, pattern, options),
      );
      for (const edit of found) edits.push({ ...edit, span: shiftSpan(edit.span, part) });
    }
  }
  return edits;
}

function retargetPattern(text: string, pattern: Pattern | null, options: RetargetOptions): readonly Edit[] {
  return (pattern?.elements ?? []).flatMap((element): readonly Edit[] => {
    const select = selectIn(element);
    if (!select) return [];
    if (isPluralSelect(select)) return retargetSelect(text, select, options);
    return select.variants.flatMap(({ value }) => retargetPattern(text, value, options));
  });
}

function retargetSelect(
  text: string,
  { variants }: SelectExpression,
  { locale, role }: RetargetOptions,
): readonly Edit[] {
  const wanted = role === 'existing' ? requiredCategories(locale) : pluralCategories(locale);
  const isKept = (variant: Variant): boolean =>
    role === 'existing' ||
    variant.default ||
    variant.key.type !== 'Identifier' ||
    wanted.includes(variant.key.name);
  const kept = variants.filter(isKept);
  const model = variants.find(({ key }) => keyOf(key) === 'other');
  if (!model) return [];
  const edits = variants
    .filter((variant) => !kept.includes(variant))
    .map((variant): Edit => {
      const { start, end } = spanOf(variant);
      const stop = blankEnd(text, end);
      const width = text.startsWith('\r\n', stop) ? 2 : 1;
      return { span: { start: lineStart(text, start), end: stop + width }, text: '' };
    });
  const exact = new Set(kept.map(({ key }) => `=${keyOf(key)}`));
  for (const category of wanted) {
    if (kept.some(({ key }) => keyOf(key) === category) || isTakenExactly(category, exact, locale)) continue;
    const next = kept.find(
      ({ key, default: isDefault }) => isDefault || pluralOrder(keyOf(key)) > pluralOrder(category),
    );
    const before = lineStart(text, spanOf(next ?? model).start);
    edits.push(insertAt(before, copyVariant(text, variants, model, category)));
  }
  return edits;
}

/** Each variant must begin on its own line. */
function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function copyVariant(text: string, variants: readonly Variant[], model: Variant, category: string): string {
  const other = variants.find((variant) => !variant.default) ?? model;
  const { start } = spanOf(other);
  const indent = text.slice(lineStart(text, start), start) + (other.default ? ' ' : '');
  const body = text.slice(text.indexOf(']', spanOf(model.key).end) + 1, spanOf(model).end);
  return `${indent}[${category}]${body.trimEnd()}${lineEndOf(text)}`;
}
