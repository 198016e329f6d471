import type { Pattern } from '@fluent/syntax';
import { type ResourcePlace, selectIn, spanOf } from './resource.ts';

/**
 * The texts that a pattern with selections displays, by the offset of the variant: the text around the selection, the
 * variant, and the default of other selections. Empty for a pattern without selections.
 */
export function shownTexts(part: ResourcePlace, pattern: Pattern): ReadonlyMap<number, string> {
  const shown = new Map<number, string>();
  if (pattern.elements.some((element) => selectIn(element)))
    collect(part, pattern, { before: '', after: '' }, shown);
  return shown;
}

interface Around {
  readonly before: string;
  readonly after: string;
}

function collect(
  part: ResourcePlace,
  pattern: Pattern,
  { before, after }: Around,
  shown: Map<number, string>,
): void {
  const texts = pattern.elements.map((_, i) => defaultText(part, pattern, i));
  let hasSelection = false;
  pattern.elements.forEach((element, i) => {
    const select = selectIn(element);
    if (!select) return;
    hasSelection = true;
    const around = {
      before: before + texts.slice(0, i).join(''),
      after: texts.slice(i + 1).join('') + after,
    };
    for (const { value } of select.variants) collect(part, value, around, shown);
  });
  if (!hasSelection) shown.set(part.start + spanOf(pattern).start, before + texts.join('') + after);
}

/** An element as displayed when every selection takes its default. */
function defaultText(part: ResourcePlace, { elements }: Pattern, at: number): string {
  const element = elements[at];
  if (element?.type === 'TextElement') return element.value;
  const variants = selectIn(element)?.variants;
  const usual = variants?.find((variant) => variant.default)?.value;
  if (usual) return usual.elements.map((_, i) => defaultText(part, usual, i)).join('');
  return element ? part.text.slice(spanOf(element).start, spanOf(element).end) : '';
}
