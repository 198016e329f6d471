import { digestOf } from '../../base/digest.ts';
import type { Edit } from '../../base/span.ts';
import { keyId, planInsertions, planRemovals, wholeGroups } from '../entry-changes.ts';
import type { Document, Entry, Key, ScanOptions } from '../format.ts';
import { indentAt, removeSpan, withLineEnds } from '../lines.ts';
import { contentOf } from '../xml/content.ts';
import { insertXml, type EntryTree } from '../xml/insert.ts';
import { unitOf } from '../xml/layout.ts';
import { attributeOf, findAttribute, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { unitsByKey } from './sources.ts';
import { localName, NAME_ATTRIBUTES, versionOf, type XliffUnit } from './units.ts';

/** Copies units. Rewrites units of another XLIFF version, and those with an id that the file uses for another unit. */
export function insertUnits(
  target: Document<EntryTree>,
  skeleton: Document<EntryTree>,
  missing: readonly Key[],
  { messages }: ScanOptions = {},
): readonly Edit[] {
  const [to, from] = [target.tree, skeleton.tree];
  const isSame = versionOf(to.tree) === versionOf(from.tree);
  const ids = new Set(
    [...to.findings.elements.values()].map((unit) => attributeOf(to.tree, unit, 'id') ?? ''),
  );
  const rewritten = new Map<string, XliffUnit>();
  for (const [key, [unit]] of unitsByKey(from.tree, new Set(missing.map(keyId)), messages)) {
    if (!unit) continue;
    const isTaken = messages?.unitsByName === true && ids.has(idIn(from.tree, unit));
    if (!isSame || isTaken) rewritten.set(key, unit);
  }
  const copied = missing.filter((key) => !rewritten.has(keyId(key)));
  const copies = isSame && copied.length > 0 ? insertXml(target, skeleton, copied) : [];
  if (rewritten.size === 0) return copies;
  const placements = planInsertions(leaves(to.entries), leaves(from.entries), missing);
  return [
    ...copies,
    ...placements.flatMap((placement): Edit[] => {
      const unit = rewritten.get(keyId(placement.entry.key));
      // Without a neighbouring unit, the position is unknown.
      if (!unit || 'into' in placement) return [];
      const anchor = 'after' in placement ? placement.after : placement.before;
      const element = to.findings.elements.get(anchor);
      const text = element && rewrite(from.tree, unit, { tree: to.tree, element, ids });
      if (text === undefined) return [];
      const indent = indentAt(to.tree.text, anchor.span.start);
      const separator = indent === undefined ? '' : to.tree.lineEnd + indent;
      const at = 'after' in placement ? anchor.span.end : anchor.span.start;
      const span = { start: at, end: at };
      return [{ span, text: 'after' in placement ? separator + text : text + separator }];
    }),
  ];
}

/** All units of a document, from all of its files and groups. */
function leaves(entries: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry) => (entry.children ? leaves(entry.children) : [entry]));
}

function idIn(tree: XmlTree, { element }: XliffUnit): string {
  const unit = localName(element) === 'segment' ? (element.parent ?? element) : element;
  return attributeOf(tree, unit, 'id') ?? '';
}

interface UnitPlace {
  readonly tree: XmlTree;
  /** The unit whose style the new one copies. */
  readonly element: XmlElement;
  /** The ids in the file. Receives the new unit's id. */
  readonly ids: Set<string>;
}

/** A unit without its translation, as the target's version writes it; undefined if its source has inline elements. */
function rewrite(from: XmlTree, unit: XliffUnit, { tree, element, ids }: UnitPlace): string | undefined {
  const { source } = unit;
  if (unit.key.length > 2 || localName(source) !== 'source' || contentOf(from, source).kind === 'markup')
    return undefined;
  const version = versionOf(tree);
  const own = versionOf(from) === 2 ? unit.element.parent : unit.element;
  const name = own && findAttribute(own, NAME_ATTRIBUTES[versionOf(from)]);
  const id = idIn(from, unit);
  // An id of XLIFF 2 is an NMTOKEN, and no two units of a file share one.
  const free = /^[\w.:-]+$/.test(id) && !ids.has(id) ? id : digestOf(keyId(unit.key)).slice(0, 7);
  ids.add(free);
  const prefix = element.name.slice(0, element.name.indexOf(':') + 1);
  const indent = indentAt(tree.text, element.start);
  const step = unitOf(tree.text, indent, element) ?? '';
  const line = (depth: number): string =>
    indent === undefined ? '' : tree.lineEnd + indent + step.repeat(depth);
  const raw = withLineEnds(from.text.slice(source.openEnd, source.closeStart), tree.lineEnd);
  const named = name ? ` ${NAME_ATTRIBUTES[version]}=${from.text.slice(name.start - 1, name.end + 1)}` : '';
  const tags = version === 1 ? ['trans-unit'] : ['unit', 'segment'];
  return [
    ...tags.map(
      (tag, i) => `${i === 0 ? '' : line(i)}<${prefix}${tag}${i === 0 ? ` id="${free}"${named}` : ''}>`,
    ),
    `${line(tags.length)}<${prefix}source>${raw}</${prefix}source>`,
    ...tags.toReversed().map((tag, i) => `${line(tags.length - 1 - i)}</${prefix}${tag}>`),
  ].join('');
}

/** Removes the units with these keys; removes a unit with several segments only if all of them are listed. */
export function removeUnits(document: Document, keys: readonly Key[]): readonly Edit[] {
  const all = [...keys, ...wholeGroups(document, keys, ({ key }) => key.slice(0, 2))];
  return planRemovals(document.entries, all).map(({ span }) => removeSpan(document.text, span));
}
