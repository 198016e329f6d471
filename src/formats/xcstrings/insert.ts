import type { Edit } from '../../base/span.ts';
import type { Document, Key, ScanOptions } from '../format.ts';
import { parse, type Node } from '../json/tree.ts';
import { localeOf, memberOf, readStrings, type CatalogTree } from './catalog.ts';
import { MemberWriter, valueOf } from './encode.ts';
import { addLocalization } from './retarget.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Skips strings that the target lacks: the program owns the keys. */
export function insertLocalizations(
  target: Document<CatalogTree>,
  skeleton: Document<CatalogTree>,
  missing: readonly Key[],
  { encodable }: ScanOptions = {},
): readonly Edit[] {
  const localizations = localizationsOf(skeleton, new Set(missing.map(([key]) => key)));
  const { root, sourceLanguage } = readStrings(target.text, () => undefined);
  const locale = localeOf(target.locale ?? sourceLanguage);
  const writer = new MemberWriter(target.text, root, encodable);
  const edits: Edit[] = [];
  readStrings(target.text, (string) => {
    const written = localizations.get(string.key)?.pop();
    if (written === undefined) return;
    const [from] = parse(written).children;
    if (!from) return;
    const own = string.localization(locale);
    if (own) insertInto(own, from, written);
    else addLocalization(writer, string, from.name, () => valueOf(written, from));
    edits.push(...writer.edits());
  });
  return edits;

  function insertInto(own: Node, from: Node, written: string): void {
    for (const child of from.children) {
      const existing = memberOf(own, child.name);
      if (!existing) writer.add(own, child.name, () => valueOf(written, child));
      else if (existing.kind === 'object' && child.kind === 'object') insertInto(existing, child, written);
    }
  }
}

/** The localizations of a document's language, as JSON, by key; duplicates of a key in reverse order. */
function localizationsOf(
  { text, locale }: Document<CatalogTree>,
  wanted: ReadonlySet<string | undefined>,
): ReadonlyMap<string, (string | undefined)[]> {
  const found = new Map<string, (string | undefined)[]>();
  readStrings(text, (string, sourceLanguage) => {
    if (!wanted.has(string.key)) return;
    const localization = string.localization(localeOf(locale ?? sourceLanguage));
    const written = localization && `{${text.slice(localization.nameStart, localization.end)}}`;
    addTo(found, string.key, written);
  });
  for (const written of found.values()) written.reverse();
  return found;
}
