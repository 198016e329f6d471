import type { Format } from '../format.ts';
import { removeEntries } from '../entry-changes.ts';
import { insert } from './insert.ts';
import { scan } from './scan.ts';
import type { IniTree } from './tree.ts';

/** Keys and values in sections, as Joomla and many programs use them. A file never names its language. */
export const ini: Format<IniTree> = {
  scan,
  retarget: () => [],
  insert,
  remove: removeEntries,
};
