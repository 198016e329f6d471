import { type Edit, firstFrom, type Span } from '../../base/span.ts';
import type { Entry, Key } from '../format.ts';
import { planRemovals } from '../entry-changes.ts';
import { breakAt, lineEndAt, lineEndOf } from '../lines.ts';
import type { YamlOutline, YamlEntry, YamlDocument } from './outline.ts';
import { findSoundEdits, hasOnlyUneditedTexts } from './sound-edits.ts';
import { addTo } from '../../base/map-of-lists.ts';

/**
 * Removes entries with their comments. Keeps an entry if an alias elsewhere needs its anchor, because the file could
 * not be loaded without it, or if its removal would require another change. One of several documents becomes empty
 * instead, so that the others keep their numbers.
 */
export function remove(document: YamlDocument, keys: readonly Key[]): readonly Edit[] {
  const editsFor = (some: readonly Key[]): readonly Edit[] => removeKeys(document, some);
  return findSoundEdits(document, document.tree.outline.options, keys, editsFor, (rest, edits) =>
    hasOnlyUneditedTexts(rest, document, edits),
  );
}

function removeKeys(document: YamlDocument, keys: readonly Key[]): readonly Edit[] {
  const outline = document.tree.outline;
  const isWhole = outline.shape !== undefined && outline.shape !== 'go-i18n';
  const wanted = isWhole ? keys.map((key) => key.slice(0, 1)) : keys;
  const planned = new Set<Entry>(planRemovals(outline.entries, wanted));
  for (const entry of outline.entries) {
    if (entry.kind === 'document' && planned.delete(entry))
      entry.children?.forEach((child) => planned.add(child));
  }
  const doomed = withoutNeeded(outline, collect(outline.entries, planned));
  const edits = removeEntries(document.text, outline, doomed);
  const [first, ...others] = edits;
  if (!first || !emptiesUnmarked(document.text, outline, doomed)) return edits;
  return [{ span: first.span, text: `---${lineEndOf(document.text)}` }, ...others];
}

/** Whether a first document without a marker would become empty: it would no longer be a document. */
function emptiesUnmarked(text: string, { entries }: YamlOutline, doomed: ReadonlySet<Entry>): boolean {
  const [first] = entries;
  if (first?.kind !== 'document' || text.startsWith('---', first.head)) return false;
  const { children = [] } = first;
  return children.length > 0 && children.every((child) => doomed.has(child));
}

/** Edits that remove exactly these entries, none of which contains another. */
export function removeEntries(
  text: string,
  { entries, root, keeps }: YamlOutline,
  doomed: ReadonlySet<Entry>,
): readonly Edit[] {
  const edits: Edit[] = [];
  const behindKeep = new Set(keeps);
  const visit = (siblings: readonly YamlEntry[]): void => {
    for (let i = 0; i < siblings.length; i++) {
      const first = siblings[i];
      if (!first) continue;
      if (!doomed.has(first)) {
        if (first.children) visit(first.children);
        continue;
      }
      let end = i + 1;
      while (end < siblings.length && doomed.has(siblings[end] ?? first)) end++;
      const last = siblings[end - 1] ?? first;
      edits.push(removeRun(text, behindKeep, { first, last, before: siblings[i - 1], after: siblings[end] }));
      i = end - 1;
    }
  };
  visit(root ? (root.children ?? []) : entries);
  return edits;
}

/** Blank lines down to the last one with spaces. */
const SPACED_LINES = /(?:(?:\r?\n)* +(?:\r?\n|$))+/y;

interface EntryRun {
  readonly first: YamlEntry;
  readonly last: YamlEntry;
  readonly before: YamlEntry | undefined;
  readonly after: YamlEntry | undefined;
}

function removeRun(text: string, behindKeep: Set<number>, { first, last, before, after }: EntryRun): Edit {
  const { end } = last.span;
  if (first.flow) {
    if (after) return cut(first.head, after.head);
    if (before) return cut(before.span.end, end);
    const comma = /\s*,/y;
    comma.lastIndex = end;
    return cut(first.head, comma.test(text) ? comma.lastIndex : end);
  }
  if (!first.ownLine) return cut(first.head, after?.span.start ?? end);
  const start = text.lastIndexOf('\n', first.span.start - 1) + 1;
  // An empty block scalar as a key ends after its line.
  const lineEnd = text.charAt(end - 1) === '\n' ? end - 1 : lineEndAt(text, end);
  // The line break before the last line is kept, because it may belong to a block scalar. Blank lines must not become
  // part of one.
  let next = lineEnd + breakAt(text, lineEnd);
  // Lines of spaces would become part of a preceding block scalar.
  if (before) {
    SPACED_LINES.lastIndex = next;
    if (SPACED_LINES.test(text)) next = SPACED_LINES.lastIndex;
  }
  if (behindKeep.has(start)) {
    for (let blank = breakAt(text, next); blank > 0; blank = breakAt(text, next)) next += blank;
    behindKeep.add(next);
  }
  return cut(start, next);
}

const cut = (start: number, end: number): Edit => ({ span: { start, end }, text: '' });

function collect(entries: readonly YamlEntry[], planned: ReadonlySet<Entry>): YamlEntry[] {
  return entries.flatMap((entry) => {
    if (planned.has(entry)) return [entry];
    return entry.children ? collect(entry.children, planned) : [];
  });
}

/**
 * Excludes entries whose anchors are needed. An alias follows its anchor, and everything that the anchor's entry needs
 * precedes the alias: one backward pass finds them all.
 */
function withoutNeeded({ anchors, aliases }: YamlOutline, doomed: readonly YamlEntry[]): ReadonlySet<Entry> {
  const left = new Set<Entry>(doomed);
  const heads = doomed.map(({ head }) => ({ start: head }));
  const holder = ({ start }: Span): YamlEntry | undefined => {
    const entry = doomed[firstFrom(heads, start + 1) - 1];
    return entry && start < entry.span.end && left.has(entry) ? entry : undefined;
  };
  const byName = new Map<string, Span[]>();
  for (const { document, name, span } of anchors) addTo(byName, `${document} ${name}`, span);
  for (const { document, name, span } of aliases.toReversed()) {
    if (holder(span)) continue;
    const same = byName.get(`${document} ${name}`) ?? [];
    const anchor = same[firstFrom(same, span.start + 1) - 1];
    const needed = anchor && holder(anchor);
    if (needed) left.delete(needed);
  }
  return left;
}
