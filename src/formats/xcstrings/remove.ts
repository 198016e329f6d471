import type { Edit } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';
import { jsonCode } from '../json/outline.ts';
import { removeMembers } from '../json/remove.ts';
import type { Node } from '../json/tree.ts';
import { textsOf, viewOf, type CatalogString, type CatalogTree } from './catalog.ts';
import { MemberWriter } from './encode.ts';

/**
 * Removes texts of the scanned language, each with any variation, substitution or localization that would be left
 * empty.
 */
export function removeTexts(document: Document<CatalogTree>, keys: readonly Key[]): readonly Edit[] {
  const { catalog, locale } = viewOf(document);
  const unwanted = new Set(keys.map((key) => JSON.stringify(key)));
  const concerned = new Set(keys.map(([key]) => key));
  const removal = new MemberRemoval();
  const writer = new MemberWriter(catalog.text, catalog.root);
  const emptied: Edit[] = [];
  for (const string of catalog.strings) {
    if (!concerned.has(string.key)) continue;
    // Reads the whole string first, to find the removed parts among their neighbours.
    const { node, localizations } = string;
    const localization = string.localization(locale);
    if (!localization) continue;
    const outermost = outermostOf(localization, string, (key) => unwanted.has(JSON.stringify(key)));
    if (!outermost.has(localization)) removal.addInside(localization, outermost);
    else if (localizations && localizations.children.length > 1) removal.add(localizations, localization);
    else if (localizations && node.children.length > 1) removal.add(node, localizations);
    else emptied.push({ span: { start: node.start, end: node.end }, text: writer.empty(node) });
  }
  return [...removeMembers(jsonCode(catalog.text), removal.members), ...emptied];
}

/** The largest parts of a localization in which every text is removed. */
function outermostOf(
  localization: Node,
  { key }: CatalogString,
  isUnwanted: (key: Key) => boolean,
): ReadonlySet<Node> {
  const left = new Set<Node>();
  const texts = textsOf(localization, key);
  for (const text of texts) if (!isUnwanted(text.key)) for (const holder of text.holders) left.add(holder);
  const outermost = texts.flatMap(({ holders }) => holders.find((holder) => !left.has(holder)) ?? []);
  return new Set(outermost);
}

/** Members to remove, grouped by object. */
class MemberRemoval {
  readonly members = new Map<Node, Set<number>>();

  add(parent: Node, child: Node): void {
    const indexes = this.members.get(parent) ?? new Set<number>();
    this.members.set(parent, indexes.add(parent.children.indexOf(child)));
  }

  addInside(parent: Node, wanted: ReadonlySet<Node>): void {
    for (const child of parent.children) {
      if (wanted.has(child)) this.add(parent, child);
      else this.addInside(child, wanted);
    }
  }
}
