import type { Edit } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';
import { planRemovals } from '../graft.ts';
import { removeBlocks } from '../lines.ts';

/** Removes the entries with these keys; a plural one by its own key, or when every form of it is named. */
export function removeEntries(document: Document, keys: readonly Key[]): readonly Edit[] {
  const removed = planRemovals(document.entries, [...keys, ...wholeGroups(document, keys)]);
  return removeBlocks(
    document.text,
    removed.map((entry) => entry.span),
  );
}

function wholeGroups(document: Document, keys: readonly Key[]): readonly Key[] {
  const named = new Set(keys.map((key) => JSON.stringify(key)));
  const left = new Map<string, Key>();
  const complete = new Map<string, Key>();
  for (const { key, plural } of document.slots) {
    if (!plural) continue;
    const id = JSON.stringify(plural.group);
    if (named.has(JSON.stringify(key)) && !left.has(id)) complete.set(id, plural.group);
    else {
      left.set(id, plural.group);
      complete.delete(id);
    }
  }
  return [...complete.values()];
}
