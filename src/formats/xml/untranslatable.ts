import type { Edit } from '../../base/span.ts';
import { breaksIn, commentsAround, isUntranslatable } from './blocks.ts';
import { lineStartBefore, removeSpan } from './removal.ts';
import type { XmlNode, XmlTree } from './tree.ts';

/** A comment such as "Do not translate" is about the string below it, and about nothing else. */
const ABOUT_TRANSLATION = /translat/i;

/**
 * Removes the root's elements that are not for translation, each with the comment behind it and with one directly above
 * that speaks of translation. Other comments may head what follows, so they stay; where the next comment would then
 * stand directly below, a blank line keeps the two apart.
 */
export function removeUntranslatable(tree: XmlTree): Edit[] {
  const { text, root } = tree;
  const nodes = root.children;
  const edits: Edit[] = [];
  /** Whether a comment that stays would be read as the note of what follows. */
  let open = false;
  for (const [index, node] of nodes.entries()) {
    if (node.type !== 'element') continue;
    const { above, behind } = commentsAround(tree, nodes, index);
    const removed = isUntranslatable(tree, node);
    const nearest = above.at(-1);
    const own = removed && nearest && ABOUT_TRANSLATION.test(textOf(tree, nearest)) ? nearest : undefined;
    if (above.length > 0) open = removed && above.length > (own ? 1 : 0);
    else open &&= removed && breaksIn(tree, nodes[index - 1]) <= 1;
    if (!removed) continue;
    const span = { start: (own ?? node).start, end: (behind ?? node).end };
    const next = index + 1 + (behind ? nodes.indexOf(behind, index) - index : 0);
    const meetsComment = breaksIn(tree, nodes[next]) === 1 && nodes[next + 1]?.type === 'comment';
    const lineStart = lineStartBefore(text, span.start);
    const leavesLine = open && meetsComment && lineStart !== undefined;
    edits.push(leavesLine ? { span: { ...span, start: lineStart }, text: '' } : removeSpan(text, span));
  }
  return edits;
}

function textOf({ text }: XmlTree, { start, end }: XmlNode): string {
  return text.slice(start, end);
}
