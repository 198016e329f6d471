import type { Format } from '../format.ts';
import { planRemovals } from '../entry-changes.ts';
import { removeBlocks } from '../lines.ts';
import { insertEntries } from './insert.ts';
import type { StringsTree } from './reader.ts';
import { scan } from './scan.ts';

/** Apple's localizable strings. */
export const strings: Format<StringsTree> = {
  scan,
  // Such files name no language and have no plurals.
  retarget: () => [],
  insert: insertEntries,
  remove: ({ text, entries }, keys) =>
    removeBlocks(
      text,
      planRemovals(entries, keys).map(({ span }) => span),
    ),
};
