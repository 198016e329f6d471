import type { Edit, Span } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';
import { planRemovals, wholeKeys } from '../entry-changes.ts';
import { indentAt } from '../lines.ts';
import {
  behindComma,
  behindLineEnd,
  endOfLineComments,
  type MemberCode,
  ownStart,
  skipGap,
} from './layout.ts';
import { entryKeys, siteOf, type Outline } from './outline.ts';
import type { Node } from './tree.ts';

export function remove(document: Document<Outline>, keys: readonly Key[]): readonly Edit[] {
  const outline = document.tree;
  const doomed = new Map<Node, Set<number>>();
  const unwanted = [...keys, ...wholeKeys(document, keys)];
  for (const entry of planRemovals(outline.entries, entryKeys(outline.shape, unwanted))) {
    const { parent, index } = siteOf(outline, entry);
    const indexes = doomed.get(parent);
    if (indexes) indexes.add(index);
    else doomed.set(parent, new Set([index]));
  }
  return removeMembers(outline, doomed);
}

/** Edits that remove members and elements, grouped by container. */
export function removeMembers(
  code: MemberCode,
  doomed: ReadonlyMap<Node, ReadonlySet<number>>,
): readonly Edit[] {
  return [...doomed].flatMap(([parent, indexes]) =>
    runsOf([...indexes].sort((a, b) => a - b)).flatMap(([first, last]) =>
      removeRun(code, parent, first, last),
    ),
  );
}

function runsOf(indexes: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const index of indexes) {
    const run = runs.at(-1);
    if (run && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

/**
 * Removes consecutive members together. If they are the last ones and have no trailing comma, also removes the comma
 * before them.
 */
function removeRun(code: MemberCode, parent: Node, first: number, last: number): Edit[] {
  const { text } = code;
  const end = parent.children[last]?.end ?? parent.end;
  const kept = parent.children[first - 1];
  const edits: Edit[] = [];
  let from: number | undefined;
  const closing = behindComma(code, end);
  if (closing === undefined && kept) {
    const comma = skipGap(code, kept.end);
    const blank = /^\s*$/.test(text.slice(kept.end, comma));
    edits.push(cut(blank ? kept.end : comma, comma + 1));
    from = endOfLineComments(code, comma + 1);
    // Keeps the line end that closes a line comment; otherwise the bracket would become part of the comment.
    if (from > comma + 1) from = behindLineEnd(text, from) ?? from;
  }
  const lines = ownLines(code, parent, first, last);
  if (lines) return [...edits, ...lines.map(({ start, end }) => cut(start, end))];
  if (closing === undefined) return [...edits, cut(from ?? ownStart(code, parent, first), end)];
  let to = endOfLineComments(code, closing);
  while (/\s/.test(text.charAt(to))) to++;
  return [...edits, cut(ownStart(code, parent, first), to)];
}

/** Whether the line that ends before `start` is blank. */
function isBlankLine(text: string, start: number): boolean {
  const end = text.startsWith('\r\n', start - 2) ? start - 2 : start - 1;
  return end > 0 && indentAt(text, end) !== undefined;
}

const cut = (start: number, end: number): Edit => ({ span: { start, end }, text: '' });

/** The lines of the members with their line ends, if they share no line with others. */
function ownLines(code: MemberCode, parent: Node, first: number, last: number): Span[] | undefined {
  const { text } = code;
  const spans: Span[] = [];
  for (let index = first; index <= last; index++) {
    const node = parent.children[index];
    if (!node) return undefined;
    const own = ownStart(code, parent, index);
    const indent = indentAt(text, own);
    const end = behindLineEnd(text, endOfLineComments(code, behindComma(code, node.end) ?? node.end));
    if (indent === undefined || end === undefined) return undefined;
    const start = own - indent.length;
    // Keeps one of the blank lines around the member.
    const below = isBlankLine(text, start) ? behindLineEnd(text, end) : undefined;
    spans.push({ start, end: below ?? end });
  }
  return spans;
}
