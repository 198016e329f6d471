import type { Edit } from '../../base/span.ts';
import type { Document, Entry, Key } from '../format.ts';
import { planInsertions } from '../entry-changes.ts';
import { insertAt, insertBehind, lineEndOf } from '../lines.ts';
import type { IniTree } from './tree.ts';

export function insert(
  target: Document<IniTree>,
  skeleton: Document<IniTree>,
  missing: readonly Key[],
): readonly Edit[] {
  const { text, entries } = target;
  const newline = lineEndOf(/\n/.test(text) ? text : skeleton.text);
  // Everything after a section heading belongs to it, so pairs without a section go above all sections.
  const lastPair = entries.findLast(({ children }) => !children);
  const firstSection = entries.find(({ children }) => children);
  const appended: string[] = [];
  const edits = planInsertions(entries, skeleton.entries, missing).flatMap((placement): Edit[] => {
    const { entry } = placement;
    const body = skeleton.text.slice(entry.span.start, entry.span.end).replace(/\r?\n/g, newline);
    const gap = newline.repeat(isBelowBlank(skeleton, entry) ? 2 : 1);
    const isSection = entry.children !== undefined;
    const before = 'before' in placement ? placement.before : undefined;
    const sibling = 'after' in placement ? placement.after : before;
    const above = !isSection && sibling?.children ? firstSection : before;
    if (above) return [insertAt(above.span.start, body + gap)];
    const after = 'into' in placement ? placement.into : sibling;
    if (!after) appended.push(body);
    const anchor = isSection && after && !after.children ? lastPair : after;
    return anchor ? [insertBehind(text, anchor.span.end, gap + body, newline)] : [];
  });
  if (appended.length === 0) return edits;
  const open = text === '' || text.endsWith('\n') ? '' : newline;
  return [...edits, insertAt(text.length, open + appended.join(newline) + newline)];
}

function isBelowBlank({ text }: Document, { span }: Entry): boolean {
  return /\n[ \t]*\r?\n[ \t]*$/.test(text.slice(Math.max(0, span.start - 200), span.start));
}
