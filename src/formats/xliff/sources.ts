import type { Edit } from '../../base/span.ts';
import type { Document, Key, ScanOptions } from '../format.ts';
import type { EntryTree } from '../xml/insert.ts';
import { frameOf } from '../xml/tree.ts';
import { withLineEnds } from '../lines.ts';
import { textsOf } from './encode.ts';
import { localName, versionOf, visitUnits, type XliffUnit } from './units.ts';

/**
 * See `Format.followSource`. Angular and Xcode merge by ids, and take a unit whose `<source>` is not theirs for one whose
 * translation is out of date.
 */
export function replaceSources(
  target: Document<EntryTree>,
  source: Document<EntryTree>,
  keys: readonly Key[],
  { encodable = () => true }: ScanOptions = {},
): readonly Edit[] {
  const [to, from] = [target.tree.tree, source.tree.tree];
  if (versionOf(to) !== versionOf(from)) return [];
  const units = new Map<string, XliffUnit>();
  visitUnits(from, { unit: (unit) => void units.set(idOf(unit.key), unit) });
  const wanted = new Set(keys.map(idOf));
  const { lineEnd } = frameOf(to);
  const edits: Edit[] = [];
  visitUnits(to, {
    unit(unit) {
      const id = idOf(unit.key);
      const current = wanted.has(id) ? units.get(id) : undefined;
      // A segmented source stands beside the whole one, and both would have to change alike.
      if (!current || [unit, current].some((one) => localName(one.source) !== 'source')) return;
      const [was, is] = [textsOf(to, unit), textsOf(from, current)];
      if (was.source === is.source && was.kind === is.kind) return;
      const { openEnd, closeStart } = current.source;
      const text = withLineEnds(from.text.slice(openEnd, closeStart), lineEnd);
      if (encodable(text))
        edits.push({ span: { start: unit.source.openEnd, end: unit.source.closeStart }, text });
    },
  });
  return edits;
}

const idOf = (key: Key): string => JSON.stringify(key);
