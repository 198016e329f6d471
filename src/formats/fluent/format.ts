import type { Format } from '../format.ts';
import { removeEntries } from '../entry-changes.ts';
import { insert } from './insert.ts';
import { retarget } from './retarget.ts';
import { entryKeys, type FluentTree, scan } from './scan.ts';

/** Mozilla's Fluent. A file never names its language. */
export const fluent: Format<FluentTree> = {
  scan,
  retarget,
  insert,
  remove({ text, tree }, keys) {
    const entries = tree.entries.filter((entry) => !tree.fixed.has(entry));
    return removeEntries({ text, entries }, entryKeys(keys));
  },
};
