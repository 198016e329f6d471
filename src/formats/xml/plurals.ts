import type { Edit } from '../../base/span.ts';
import { pluralCategories, pluralOrder } from '../../text/plural.ts';
import type { RetargetOptions } from '../format.ts';
import { type Block, blocksOf } from './blocks.ts';
import { lineStartBefore, removeSpan } from './removal.ts';
import { decodeAttribute, findAttribute, type XmlAttribute, type XmlElement, type XmlTree } from './tree.ts';

interface Item {
  readonly block: Block;
  readonly category: string;
  readonly quantity: XmlAttribute;
}

/**
 * Gives a `<plurals>` the categories of the target language. What is missing starts as a copy of `other`; what the
 * language does not have goes from a new file, and stays in one that exists.
 */
export function retargetPlurals(tree: XmlTree, plurals: XmlElement, options: RetargetOptions): Edit[] {
  const items: Item[] = [];
  for (const block of blocksOf(tree, plurals)) {
    const quantity = findAttribute(block.element, 'quantity');
    if (quantity) items.push({ block, quantity, category: decodeAttribute(tree, quantity) });
  }
  const model = items.find(({ category }) => category === 'other') ?? items.at(-1);
  if (!model) return [];
  const wanted = pluralCategories(options.locale);
  const kept =
    options.role === 'existing' ? items : items.filter(({ category }) => wanted.includes(category));
  // A source without the category `other` may share none with the target: its last item then becomes that.
  const renamed = kept.length === 0 ? model : undefined;
  if (renamed) kept.push({ ...renamed, category: 'other' });
  const edits = items
    .filter((item) => item !== renamed && !kept.includes(item))
    .map(({ block }) => removeSpan(tree.text, block.span));
  if (renamed) {
    const { start, end } = renamed.quantity;
    edits.push({ span: { start, end }, text: 'other' });
  }
  for (const category of wanted) {
    if (!kept.some((item) => item.category === category)) edits.push(insertItem(tree, kept, model, category));
  }
  return edits;
}

function insertItem(tree: XmlTree, kept: readonly Item[], model: Item, category: string): Edit {
  const order = pluralOrder(category);
  const before = kept.filter((item) => pluralOrder(item.category) < order);
  const previous = before.reduce<Item | undefined>(
    (last, item) => (!last || pluralOrder(item.category) >= pluralOrder(last.category) ? item : last),
    undefined,
  );
  const anchor = (previous ?? kept[0] ?? model).block.span;
  const lineStart = lineStartBefore(tree.text, anchor.start);
  const separator = lineStart === undefined ? '' : tree.lineEnd + tree.text.slice(lineStart, anchor.start);
  const copy = copyItem(tree, model, category);
  return previous
    ? { span: { start: anchor.end, end: anchor.end }, text: separator + copy }
    : { span: { start: anchor.start, end: anchor.start }, text: copy + separator };
}

function copyItem(tree: XmlTree, { block, quantity }: Item, category: string): string {
  const { start, end } = block.element;
  return tree.text.slice(start, quantity.start) + category + tree.text.slice(quantity.end, end);
}
