import { DragomanError } from '../../base/errors.ts';
import { splice, type Edit } from '../../base/span.ts';
import type { Entry, Key } from '../format.ts';
import { type Filling, planFillings, planInsertions, type Placement } from '../entry-changes.ts';
import { FragmentWriter } from './fragment.ts';
import { breakAt, lineEndAt, lineEndOf } from '../lines.ts';
import { allEntries, type YamlOutline, type YamlEntry, type YamlDocument } from './outline.ts';
import { quoteDouble } from './quoting.ts';
import { removeEntries } from './remove.ts';
import { scan } from './scan.ts';
import { findSoundEdits, isCompleted, scanned } from './sound-edits.ts';
import { addTo } from '../../base/map-of-lists.ts';

/**
 * Inserts missing entries at their place in the skeleton. An alias is copied if its anchor is in the target or copied
 * too; otherwise its entry is skipped, so that the result can always be loaded. Entries that have no place in the
 * target (a map where it has a text or a sequence), or that would require another change, stay missing.
 *
 * @throws DragomanError `unreadable_input` if only one of the files has several documents, or if the target is a single
 * scalar
 */
export function insert(
  target: YamlDocument,
  skeleton: YamlDocument,
  missing: readonly Key[],
): readonly Edit[] {
  const editsFor = (keys: readonly Key[]): readonly Edit[] => loadableEdits(target, skeleton, keys);
  return findSoundEdits(target, target.tree.outline.options, missing, editsFor, (whole) =>
    isCompleted(whole, target, skeleton, missing),
  );
}

/** The edits, without entries whose aliases would have no anchor. */
function loadableEdits(
  target: YamlDocument,
  skeleton: YamlDocument,
  missing: readonly Key[],
): readonly Edit[] {
  const edits = place(target, skeleton, missing);
  const { aliases, entries, options } = skeleton.tree.outline;
  if (aliases.length === 0 || edits.length === 0 || isLoadable(target, edits)) return edits;
  const known = anchorNames(target.tree.outline);
  const named = new Map(aliases.map(({ span, name }) => [span.start, name]));
  // The alias is the entry's key or value.
  const all = [...allEntries(entries)].filter(
    ({ kind, head, value }) => named.has(head) || (kind === 'alias' && named.has(value.start)),
  );
  const foreign = all.filter(
    ({ head, value }) => !known.has(named.get(head) ?? named.get(value.start) ?? ''),
  );
  for (const left of [foreign, all]) {
    const text = splice(
      skeleton.text,
      removeEntries(skeleton.text, skeleton.tree.outline, new Set<Entry>(left)),
    );
    const rest = scanned(text, options);
    const trimmed = rest && place(target, rest, missing);
    if (trimmed && isLoadable(target, trimmed)) return trimmed;
  }
  return [];
}

function isLoadable(target: YamlDocument, edits: readonly Edit[]): boolean {
  return scanned(splice(target.text, edits), target.tree.outline.options) !== undefined;
}

function place(target: YamlDocument, source: YamlDocument, missing: readonly Key[]): readonly Edit[] {
  const outline = target.tree.outline;
  const skeleton = movable(source);
  const other = skeleton.tree.outline;
  const filled = outline.entries.length > 0 || outline.root !== undefined;
  if (filled && outline.documents > 1 !== other.documents > 1) {
    throw new DragomanError('unreadable_input', 'only one of source and target has several YAML documents', {
      hint: 'Add or remove `---` lines so that both files have the same number of documents.',
    });
  }
  const details = new Map<Entry, YamlEntry>();
  for (const entry of allEntries(outline.entries)) details.set(entry, entry);
  for (const entry of allEntries(other.entries)) details.set(entry, entry);
  const lineBreak = lineEndOf(target.text);
  const site: InsertionSite = {
    text: target.text,
    outline,
    skeletonRoot: other.root && skeleton.text.slice(other.root.head, other.root.keyEnd),
    lineBreak,
    step: stepOf(outline),
    writer: new FragmentWriter(skeleton, { lineBreak, step: stepOf(outline), anchors: anchorNames(outline) }),
    details,
  };
  const plan = planInsertions(outline.entries, other.entries, missing);
  const beside = plan.flatMap((placement) => ('into' in placement ? [] : besideSibling(site, placement)));
  // Insertions into an entry come before insertions after it at the same place.
  const fillings = planFillings(outline.entries, other.entries, missing);
  const nulls = fillings.flatMap((filling) => fillNull(site, filling));
  const edits = [...intoEmpty(site, plan), ...nulls, ...beside];
  return edits.some(({ span }) => span.start === target.text.length)
    ? [...closeLastBlock(target), ...edits]
    : edits;
}

/** Ends a block scalar at the end of the file, whose value would otherwise get a line break from the text after it. */
function closeLastBlock(target: YamlDocument): readonly Edit[] {
  const { text, slots } = target;
  const last = slots.at(-1);
  if (last?.span.end !== text.length) return [];
  const { start } = last.span;
  const header = /^[|>][-+\d]*/.exec(text.slice(start, start + 4))?.[0];
  if (header === undefined || header.includes('-')) return [];
  const clipped = header.replace('+', '');
  const span = { start, end: start + header.length };
  if (!last.value.endsWith('\n')) return [{ span, text: `${clipped}-` }];
  // The file's last line only has spaces, and would become part of the value.
  if (header === clipped) return [];
  if (/[^\n]\n$/.test(last.value)) return [{ span, text: clipped }];
  return [{ span: last.span, text: quoteDouble(last.value, target.tree.outline.options.encodable) }];
}

/** The skeleton with block scalars whose value does not depend on the text after them. */
function movable(skeleton: YamlDocument): YamlDocument {
  const { keeps, options } = skeleton.tree.outline;
  const edits = [...closeLastBlock(skeleton)];
  for (const { span, value } of keeps.size > 0 ? skeleton.slots : []) {
    const header = /^[|>]\d?\+/.exec(skeleton.text.slice(span.start, span.start + 3))?.[0];
    if (header === undefined || edits[0]?.span.start === span.start) continue;
    const plus = span.start + header.length - 1;
    edits.push(
      value !== '' && !/[^\n]\n$/.test(value)
        ? { span, text: quoteDouble(value, options.encodable) }
        : { span: { start: plus, end: plus + 1 }, text: '' },
    );
  }
  return edits.length === 0 ? skeleton : scan(splice(skeleton.text, edits), options);
}

interface InsertionSite {
  readonly text: string;
  readonly outline: YamlOutline;
  /** The Rails root key as the skeleton spells it. */
  readonly skeletonRoot: string | undefined;
  readonly lineBreak: string;
  readonly step: number;
  readonly writer: FragmentWriter;
  readonly details: ReadonlyMap<Entry, YamlEntry>;
}

function detailsOf(site: InsertionSite, entry: Entry): YamlEntry {
  const found = site.details.get(entry);
  if (!found) throw new RangeError(`no entry ${entry.key.join(' › ')}`);
  return found;
}

function besideSibling(
  site: InsertionSite,
  placement: Exclude<Placement, { into: Entry | undefined }>,
): readonly Edit[] {
  const entry = detailsOf(site, placement.entry);
  const after = 'after' in placement;
  const sibling = detailsOf(site, after ? placement.after : placement.before);
  const { text, lineBreak, writer } = site;
  if (entry.kind === 'document') return [{ span: at(text.length), text: writeDocument(site, entry) }];
  if (sibling.item !== entry.item) return [];
  const pad = ' '.repeat(sibling.column);
  if (sibling.flow) {
    const comma = sibling.ownLine ? `,${lineBreak}${pad}` : ', ';
    const words = writer.flow(entry);
    return after
      ? [{ span: at(sibling.span.end), text: comma + words }]
      : [{ span: at(sibling.head), text: words + comma }];
  }
  const lines = writer.block(entry, sibling.column);
  if (after) return [putBelow(site, sibling.span.end, lineBreak + lines, entry)];
  if (!sibling.ownLine) return [{ span: at(sibling.head), text: `${lines.trimStart()}${lineBreak}${pad}` }];
  return [{ span: at(text.lastIndexOf('\n', sibling.span.start - 1) + 1), text: lines + lineBreak }];
}

function intoEmpty(site: InsertionSite, plan: readonly Placement[]): readonly Edit[] {
  const groups = new Map<Entry | undefined, YamlEntry[]>();
  for (const placement of plan) {
    if (!('into' in placement)) continue;
    const entry = detailsOf(site, placement.entry);
    addTo(groups, placement.into, entry);
  }
  return [...groups].flatMap(([into, group]) => {
    const parent = into ? detailsOf(site, into) : site.outline.root;
    return parent && parent.kind !== 'document'
      ? intoEntry(site, parent, group)
      : intoDocument(site, parent, group);
  });
}

/** Collections are inserted into an empty place on their own lines. */
function fillNull(site: InsertionSite, { entry, at: place }: Filling): readonly Edit[] {
  const from = detailsOf(site, entry);
  const { value, keyEnd, item, flow } = detailsOf(site, place);
  const old = site.text.slice(value.start, value.end);
  if (from.kind !== 'leaf' || !/^(?:~|null|true|false)?$/i.test(old)) return [];
  // A key may be alone: `{key}` or `? key`.
  const bare = !item && !site.text.slice(keyEnd, value.start).includes(':');
  if (bare && !flow) return [];
  const text = site.writer.value(from);
  return [{ span: value, text: old === '' ? `${bare ? ':' : ''} ${text}` : text }];
}

function intoEntry(site: InsertionSite, parent: YamlEntry, group: readonly YamlEntry[]): readonly Edit[] {
  const item = group[0]?.item === true;
  if (parent.open !== undefined) {
    if (item !== (parent.kind === 'sequence')) return [];
    return [{ span: at(parent.open), text: group.map((entry) => site.writer.flow(entry)).join(', ') }];
  }
  // A key may be alone: `{key}` or `? key`. A colon can only be added in place within brackets.
  const bare = !parent.item && !site.text.slice(parent.keyEnd, parent.value.start).includes(':');
  if (bare && !parent.flow) return [];
  if (parent.flow) {
    const words = group.map((entry) => site.writer.flow(entry)).join(', ');
    return [{ span: parent.value, text: `${bare ? ':' : ''} ${item ? `[${words}]` : `{${words}}`}` }];
  }
  const column = parent.column + (parent.item ? 2 : site.step);
  const lines = group.map((entry) => site.lineBreak + site.writer.block(entry, column)).join('');
  const { start, end } = parent.value;
  const edits: Edit[] = [putBelow(site, parent.span.end, lines, group.at(-1))];
  if (start === end) return edits;
  const before = start - (/[ \t]+$/.exec(site.text.slice(parent.keyEnd, start))?.[0].length ?? 0);
  return [{ span: { start: before, end }, text: '' }, ...edits];
}

/** Inserts into an empty document. */
function intoDocument(
  site: InsertionSite,
  document: YamlEntry | undefined,
  group: readonly YamlEntry[],
): readonly Edit[] {
  const { text, lineBreak, writer, skeletonRoot, outline } = site;
  const { top } = outline;
  if (top?.kind === 'leaf' || (document && document.value.start !== document.value.end)) {
    throw new DragomanError('unreadable_input', 'the file holds a single value and no keys', {
      hint: 'Empty the file to let sync fill it.',
    });
  }
  if (top?.open !== undefined) {
    const items = skeletonRoot === undefined && group[0]?.item === true;
    if (items !== (top.kind === 'sequence')) return [];
    const words = group.map((entry) => writer.flow(entry)).join(', ');
    return [{ span: at(top.open), text: skeletonRoot === undefined ? words : `${skeletonRoot}: {${words}}` }];
  }
  const column = skeletonRoot === undefined ? 0 : site.step;
  const lines = group.map((entry) => writer.block(entry, column));
  if (skeletonRoot !== undefined) lines.unshift(`${skeletonRoot}:`);
  const end = endOfContents(text, document?.span.end ?? 0);
  const open = end > 0 && text[end - 1] !== '\n' ? lineBreak : '';
  return [{ span: at(end), text: open + lines.join(lineBreak) + lineBreak }];
}

/** The offset of the marker that ends the document, otherwise the end of the text. */
function endOfContents(text: string, from: number): number {
  const marker = /^(?:\.\.\.|---)(?=\s|$)/gm;
  marker.lastIndex = from;
  let found = marker.exec(text);
  if (found?.[0] === '---' && from === 0) found = marker.exec(text);
  return found ? found.index : text.length;
}

function writeDocument(site: InsertionSite, entry: YamlEntry): string {
  const { text, lineBreak, writer } = site;
  const open = text !== '' && !text.endsWith('\n') ? lineBreak : '';
  const lines = (entry.children ?? []).map((child) => writer.block(child, 0));
  return `${open}---${lineBreak}${lines.join(lineBreak)}${lineBreak}`;
}

function stepOf({ entries, root }: YamlOutline): number {
  for (const { flow, item, column, children } of root
    ? [root, ...allEntries(entries)]
    : allEntries(entries)) {
    const child = children?.[0];
    if (!flow && !item && child && !child.flow && !child.item && child.column > column)
      return child.column - column;
  }
  return 2;
}

function anchorNames({ anchors }: YamlOutline): ReadonlySet<string> {
  return new Set(anchors.map(({ name }) => name));
}

/** Lines of spaces, and blank lines between them. */
const SPACED_LINES = /(?:(?:\r?\n)* +(?=\r?\n|$))+/y;

/**
 * Inserts lines below the line at `offset`, after any lines of spaces, which could otherwise become part of the last
 * text. The result may end without a line break, unless the line break belongs to its last text.
 */
function putBelow(
  { text, lineBreak, writer }: InsertionSite,
  offset: number,
  lines: string,
  last: YamlEntry | undefined,
): Edit {
  let end = lineEndAt(text, offset);
  SPACED_LINES.lastIndex = end + breakAt(text, end);
  if (SPACED_LINES.lastIndex > end && SPACED_LINES.test(text)) end = SPACED_LINES.lastIndex;
  const closed = end === text.length && last !== undefined && writer.endsInBreak(last);
  return { span: at(end), text: closed ? lines + lineBreak : lines };
}

const at = (offset: number): Edit['span'] => ({ start: offset, end: offset });
