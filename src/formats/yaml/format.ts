import type { Format, RetargetOptions, Key } from '../format.ts';
import {
  requireBoundedAliases,
  type YamlDocument,
  type YamlStructure,
  allEntries,
  type YamlEntry,
} from './outline.ts';
import { insert } from './insert.ts';
import { remove } from './remove.ts';
import { scan } from './scan.ts';
import type { Edit } from '../../base/span.ts';
import { isPlainText } from './quoting.ts';
import { rootName } from './special-keys.ts';
import { changesOfForms, renameRaw } from '../sibling-forms.ts';
import { lineEndOf } from '../lines.ts';

/**
 * YAML 1.2 as the `yaml` package parses it, restricted to texts that YAML 1.1 readers (Ruby, Python) read alike.
 * Documents are never reprinted: the package only locates values.
 */
export const yaml: Format<YamlStructure> = {
  scan,
  retarget,
  insert,
  remove,
  requireBounded: requireBoundedAliases,
};

function retarget(document: YamlDocument, options: RetargetOptions): readonly Edit[] {
  return [...renameRoot(document, options), ...adaptForms(document, options)];
}

/** Renames the Rails root key and keeps its quotes; `no`, which YAML 1.1 reads as false, is quoted. */
function renameRoot(document: YamlDocument, { spelling, role }: RetargetOptions): readonly Edit[] {
  const root = document.tree.root;
  if (!root || role === 'existing' || document.locale === spelling) return [];
  const [start, end] = rootName(root, document.text);
  const bare = start === root.head;
  const text = bare && !isPlainText(spelling, root.flow) ? `"${spelling}"` : spelling;
  return [{ span: { start, end }, text }];
}

/** Edits that adapt plurals, whose forms are entries, to another language. */
function adaptForms(document: YamlDocument, options: RetargetOptions): readonly Edit[] {
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
    const separator = flow ? ', ' : lineEndOf(text) + text.slice(lineStart, head);
    const behindName = text.slice(keyEnd, value.end);
    const copies = names.flatMap((name) => named(entry, name) ?? []);
    edits.push({
      span: { start: head, end: head },
      text: copies.map((name) => name + behindName + separator).join(''),
    });
  }
  return edits;
}
