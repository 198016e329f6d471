import type { Edit } from '../../base/span.ts';
import type { Document, Key, RetargetOptions } from '../format.ts';
import { changesOfForms, renameRaw } from '../sibling-forms.ts';
import { ownStart } from './layout.ts';
import type { Outline, Site } from './outline.ts';
import { remove } from './remove.ts';
import { separatorAt, styleOf } from './style.ts';

/** Edits that adapt plurals, whose forms are members, to another language. */
export function adaptForms(document: Document<Outline>, options: RetargetOptions): readonly Edit[] {
  const changes = changesOfForms(document, options);
  if (!changes) return [];
  const { text, tree } = document;
  const sites = new Map([...tree.sites].map(([{ key }, site]) => [JSON.stringify(key), site] as const));
  const siteAt = (key: Key): Site | undefined => sites.get(JSON.stringify(key));
  const style = styleOf(text, tree.root);
  const named = ({ node }: Site, name: string): string | undefined =>
    renameRaw(text.slice(node.nameStart, node.nameEnd), node.name, name);
  const edits: Edit[] = [...remove(document, changes.removed)];
  for (const { slot, name } of changes.renamed) {
    const site = siteAt(slot.key);
    const raw = site && named(site, name);
    if (raw !== undefined)
      edits.push({ span: { start: site?.node.nameStart ?? 0, end: site?.node.nameEnd ?? 0 }, text: raw });
  }
  for (const { model, names } of changes.added) {
    const site = siteAt(model.key);
    if (!site || site.parent.kind !== 'object') continue;
    const { node, parent, index } = site;
    const separator = separatorAt(tree, parent, index, style);
    const start = ownStart(tree, parent, index);
    const copies = names.flatMap((name) => named(site, name) ?? []);
    const behindName = text.slice(node.nameEnd, node.end);
    edits.push({
      span: { start, end: start },
      text: copies.map((name) => `${name}${behindName},${separator}`).join(''),
    });
  }
  return edits;
}
