import type { Format } from '../format.ts';
import { planRemovals } from '../entry-changes.ts';
import { removeBlocks } from '../lines.ts';
import { insert } from './insert.ts';
import { retarget } from './retarget.ts';
import { entryKeys, type FluentTree, scan } from './scan.ts';

/** Mozilla's Fluent. A file never names its language. */
export const fluent: Format<FluentTree> = {
  scan,
  retarget,
  insert,
  remove: ({ text, tree }, keys) =>
    removeBlocks(
      text,
      planRemovals(
        tree.entries.filter((entry) => !tree.fixed.has(entry)),
        entryKeys(keys),
      ).map(({ span }) => span),
    ),
};
