import type { Edit } from '../../base/span.ts';
import type { Document, Key, ScanOptions } from '../format.ts';
import type { Node } from '../json/tree.ts';
import { localizationIn, memberOf, viewOf, type CatalogString, type CatalogTree } from './catalog.ts';
import { MemberWriter, valueOf } from './encode.ts';
import { addLocalization } from './retarget.ts';

/** A string that the target does not have gets nothing: its keys are the program's. */
export function insertLocalizations(
  document: Document<CatalogTree>,
  skeletonDocument: Document<CatalogTree>,
  missing: readonly Key[],
  { encodable }: ScanOptions = {},
): readonly Edit[] {
  const target = viewOf(document);
  const skeleton = viewOf(skeletonDocument);
  const wanted = new Set(missing.map(([key]) => key));
  const writer = new MemberWriter(target.catalog.text, target.catalog.root, encodable);
  const { text } = skeleton.catalog;
  const strings = new Map<string, CatalogString[]>();
  for (const string of target.catalog.strings)
    strings.set(string.key, [...(strings.get(string.key) ?? []), string]);
  for (const string of skeleton.catalog.strings) {
    const twin = strings.get(string.key)?.shift();
    const from = twin && wanted.has(string.key) ? localizationIn(string, skeleton.locale) : undefined;
    if (!twin || !from) continue;
    const own = localizationIn(twin, target.locale);
    if (own) graft(own, from);
    else addLocalization(writer, twin, from.name, () => valueOf(text, from));
  }
  return writer.edits();

  function graft(own: Node, from: Node): void {
    for (const child of from.children) {
      const twin = memberOf(own, child.name);
      if (!twin) writer.add(own, child.name, () => valueOf(text, child));
      else if (twin.kind === 'object' && child.kind === 'object') graft(twin, child);
    }
  }
}
