import type { Format } from '../format.ts';
import { removeEntries } from '../entry-changes.ts';
import { insertEntries } from './insert.ts';
import type { StringsTree } from './reader.ts';
import { scan } from './scan.ts';

/** Apple's localizable strings. */
export const strings: Format<StringsTree> = {
  scan,
  // Such files name no language and have no plurals.
  retarget: () => [],
  insert: insertEntries,
  remove: removeEntries,
};
