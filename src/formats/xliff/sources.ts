import type { Edit } from '../../base/span.ts';
import { keyId } from '../entry-changes.ts';
import type { Document, Key, ScanOptions } from '../format.ts';
import type { MessageRules } from '../message-rules.ts';
import type { EntryTree } from '../xml/insert.ts';
import { xmlFrameOf, type XmlTree } from '../xml/tree.ts';
import { withLineEnds } from '../lines.ts';
import { textsOf } from './encode.ts';
import { localName, versionOf, visitUnits, type UnitVisitor, type XliffUnit } from './units.ts';

/**
 * See `Format.followSource`. Angular and Xcode merge by id, and treat a unit with a different `<source>` as out of
 * date.
 */
export function replaceSources(
  target: Document<EntryTree>,
  source: Document<EntryTree>,
  keys: readonly Key[],
  { encodable = () => true, messages }: ScanOptions = {},
): readonly Edit[] {
  const [to, from] = [target.tree.tree, source.tree.tree];
  if (versionOf(to) !== versionOf(from)) return [];
  const wanted = new Map<string, number>();
  for (const key of keys) wanted.set(keyId(key), (wanted.get(keyId(key)) ?? 0) + 1);
  const units = unitsByKey(from, wanted, messages);
  const { lineEnd } = xmlFrameOf(to);
  const edits = [...unitsByKey(to, wanted, messages)].flatMap(([id, own]) => {
    // Units with the same id, which is invalid, are matched by order.
    const changes = own.flatMap((unit, i): Edit[] => {
      const current = units.get(id)?.[i];
      // A segmented source duplicates the whole one, and both would need the same change.
      if (!current || [unit, current].some((one) => localName(one.source) !== 'source')) return [];
      const [was, is] = [textsOf(to, unit), textsOf(from, current)];
      if (was.source === is.source && was.kind === is.kind) return [];
      const { openEnd, closeStart } = current.source;
      const text = withLineEnds(from.text.slice(openEnd, closeStart), lineEnd);
      const span = { start: unit.source.openEnd, end: unit.source.closeStart };
      return encodable(text) ? [{ span, text }] : [];
    });
    // If fewer updates are requested than units have changed, it is unclear which units keep their translation.
    return changes.length <= (wanted.get(id) ?? 0) ? changes : [];
  });
  return edits.sort((a, b) => a.span.start - b.span.start);
}

/** The units with certain keys, in file order. */
export function unitsByKey(
  tree: XmlTree,
  keys: Pick<ReadonlySet<string>, 'has'>,
  messages: MessageRules | undefined,
): ReadonlyMap<string, readonly XliffUnit[]> {
  const units = new Map<string, XliffUnit[]>();
  const visitor: UnitVisitor = {
    unit(unit) {
      const id = keyId(unit.key);
      const known = units.get(id);
      if (known) known.push(unit);
      else if (keys.has(id)) units.set(id, [unit]);
    },
  };
  visitUnits(tree, visitor, messages?.unitsByName);
  return units;
}
