import type { Edit, Span } from '../../base/span.ts';
import { pluralOrder } from '../../text/plural.ts';
import { indentAt, removeSpan } from '../lines.ts';
import type { XmlTree } from './tree.ts';

/** A form of a plural. */
export interface XmlForm {
  readonly category: string;
  /** The place of the category. */
  readonly name: Span;
  /** The whole form, with its comments. */
  readonly span: Span;
  /** The part that a form of another category repeats. */
  readonly copied: Span;
  /** Whether the form must stay in its place. */
  readonly isFixed: boolean;
}

/**
 * Gives a plural the wanted categories. Missing ones start as copies of `other`; forms that are not kept are removed.
 *
 * @param kept a subset of the forms
 */
export function adaptForms(
  tree: XmlTree,
  forms: readonly XmlForm[],
  kept: readonly XmlForm[],
  wanted: readonly string[],
): readonly Edit[] {
  const model = forms.find(({ category }) => category === 'other') ?? forms.at(-1);
  if (!model) return [];
  // A source may share no category with the target: its last form then becomes `other`.
  const isRenamed = kept.length === 0;
  const left = isRenamed ? [{ ...model, category: 'other' }] : kept;
  return [
    ...forms
      .filter((form) => !kept.includes(form) && !(isRenamed && form === model))
      .map(({ span }) => removeSpan(tree.text, span)),
    ...(isRenamed ? [{ span: model.name, text: 'other' }] : []),
    ...wanted
      .filter((category) => !left.some((form) => form.category === category))
      .map((category) => insertForm(tree, left, model, category)),
  ];
}

function insertForm(
  { text, lineEnd }: XmlTree,
  kept: readonly XmlForm[],
  { copied, name }: XmlForm,
  category: string,
): Edit {
  const [first] = kept;
  const before = kept
    .filter((form) => pluralOrder(form.category) < pluralOrder(category))
    .reduce<XmlForm | undefined>(
      (last, form) => (!last || pluralOrder(form.category) >= pluralOrder(last.category) ? form : last),
      undefined,
    );
  const previous = before ?? (first?.isFixed ? first : undefined);
  const { start, end } = (previous ?? first)?.span ?? copied;
  const indent = indentAt(text, start);
  const separator = indent === undefined ? '' : lineEnd + indent;
  const copy = text.slice(copied.start, name.start) + category + text.slice(name.end, copied.end);
  return previous
    ? { span: { start: end, end }, text: separator + copy }
    : { span: { start, end: start }, text: copy + separator };
}
