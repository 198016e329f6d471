import type { Document, DocumentWarning, Format, ScanOptions } from '../format.ts';
import { insertEntries, removeEntries } from './entries.ts';
import { readStrings, type StringsEntry } from './reader.ts';
import { slotsOf } from './slots.ts';

/** Apple's localizable strings. */
export const strings: Format = {
  id: 'strings',
  scan: scanStrings,
  // Neither the language nor a plural stands in these files.
  retarget: () => [],
  insert: insertEntries,
  remove: removeEntries,
};

function scanStrings(text: string, options: ScanOptions = {}): Document {
  const file = readStrings(text);
  return {
    text,
    slots: slotsOf(file, options),
    entries: file.entries.map(({ key, span }) => ({ key: [key.value], span })),
    dialect: 'Apple strings',
    warnings: duplicates(file.entries),
  };
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
