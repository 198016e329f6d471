import type { Edit } from '../../base/span.ts';
import type { Key, RetargetOptions } from '../format.ts';
import { changesOfForms, renameRaw } from '../sibling-forms.ts';
import { allEntries, type YamlDocument, type YamlEntry } from './outline.ts';
import { lineBreakOf } from './layout.ts';
import { remove } from './remove.ts';

/** Edits that give plurals whose forms are entries the forms of another language. */
export function turnForms(document: YamlDocument, options: RetargetOptions): readonly Edit[] {
  const changes = changesOfForms(document, options);
  if (!changes) return [];
  const { text, tree } = document;
  const entries = new Map<string, YamlEntry>();
  for (const entry of allEntries(tree.entries)) entries.set(JSON.stringify(entry.key), entry);
  const entryAt = (key: Key): YamlEntry | undefined => entries.get(JSON.stringify(key));
  const named = ({ head, keyEnd, key }: YamlEntry, name: string): string | undefined =>
    renameRaw(text.slice(head, keyEnd), key.at(-1) ?? '', name);
  const edits: Edit[] = [...remove(document, changes.removed)];
  for (const { slot, name } of changes.renamed) {
    const entry = entryAt(slot.key);
    const raw = entry && named(entry, name);
    if (raw !== undefined)
      edits.push({ span: { start: entry?.head ?? 0, end: entry?.keyEnd ?? 0 }, text: raw });
  }
  for (const { model, names } of changes.added) {
    const entry = entryAt(model.key);
    // An anchor must not be repeated.
    if (!entry || text[entry.value.start] === '&') continue;
    const { head, keyEnd, value, flow, ownLine } = entry;
    if (!flow && !ownLine) continue;
    const lineStart = text.lastIndexOf('\n', head - 1) + 1;
    const separator = flow ? ', ' : lineBreakOf(text) + text.slice(lineStart, head);
    const behindName = text.slice(keyEnd, value.end);
    const copies = names.flatMap((name) => named(entry, name) ?? []);
    edits.push({
      span: { start: head, end: head },
      text: copies.map((name) => name + behindName + separator).join(''),
    });
  }
  return edits;
}
