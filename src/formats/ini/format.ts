import type { Format } from '../format.ts';
import { removeBlocks } from '../lines.ts';
import { planRemovals } from '../entry-changes.ts';
import { insert } from './insert.ts';
import { scan } from './scan.ts';
import type { IniTree } from './tree.ts';

/** Keys and values in sections, as Joomla and many programs use them. A file never names its language. */
export const ini: Format<IniTree> = {
  scan,
  retarget: () => [],
  insert,
  remove: (document, keys) =>
    removeBlocks(
      document.text,
      planRemovals(document.entries, keys).map(({ span }) => span),
    ),
};
