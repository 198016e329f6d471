import { makeDocument } from '../document.ts';
import type { Document, DocumentWarning, Format, ReadValue, ScanOptions } from '../format.ts';
import { insertEntries, removeEntries } from './entries.ts';
import { readEntries, readStrings, readTree, type StringsEntry, type StringsTree } from './reader.ts';
import { slotsOf } from './slots.ts';

/** Apple's localizable strings. */
export const strings: Format<StringsTree> = {
  scan: scanStrings,
  read,
  // Neither the language nor a plural stands in these files.
  retarget: () => [],
  insert: insertEntries,
  remove: removeEntries,
};

function scanStrings(text: string, options: ScanOptions = {}): Document<StringsTree> {
  const file = readStrings(text);
  const found = { text, slots: slotsOf(file, options), dialect: 'Apple strings' };
  return makeDocument({ ...found, warnings: duplicates(file.entries) }, readTree);
}

function read(text: string, visit: ReadValue): void {
  readEntries(text, ({ key, value, keyOnly }) => {
    if (value || keyOnly) visit([key.value], (value ?? key).value);
  });
}

function duplicates(entries: readonly StringsEntry[]): readonly DocumentWarning[] {
  const seen = new Set<string>();
  const warnings: DocumentWarning[] = [];
  for (const { key } of entries) {
    if (seen.has(key.value)) {
      warnings.push({ rule: 'duplicate-key', key: [key.value], offset: key.span.start });
    }
    seen.add(key.value);
  }
  return warnings;
}
