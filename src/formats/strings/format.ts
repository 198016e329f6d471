import type { Document, DocumentWarning, Entry, Format, ReadValue, ScanOptions, Slot } from '../format.ts';
import { insertEntries, removeEntries } from './entries.ts';
import { readEntries, readStrings, type StringsEntry } from './reader.ts';
import { slotsOf } from './slots.ts';

/** Apple's localizable strings. */
export const strings: Format = {
  scan: scanStrings,
  read,
  // Neither the language nor a plural stands in these files.
  retarget: () => [],
  insert: insertEntries,
  remove: removeEntries,
};

function scanStrings(text: string, options: ScanOptions = {}): Document {
  const file = readStrings(text);
  return documentOf(text, slotsOf(file, options), duplicates(file.entries));
}

/** A function of its own: its getter must not hold the entries. */
function documentOf(text: string, slots: readonly Slot[], warnings: readonly DocumentWarning[]): Document {
  let entries: readonly Entry[] | undefined;
  return {
    text,
    slots,
    // Most scans are for values only.
    get entries() {
      return (entries ??= readStrings(text).entries.map(({ key, span }) => ({ key: [key.value], span })));
    },
    dialect: 'Apple strings',
    warnings,
  };
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
