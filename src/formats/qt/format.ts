import type { Format } from '../format.ts';
import type { EntryTree } from '../xml/insert.ts';
import { insertMessages, removeMessages } from './insert.ts';
import { retargetQt } from './retarget.ts';
import { formsOf, goneKeys, scanQt } from './scan.ts';

/** The translation files of Qt Linguist. */
export const qt: Format<EntryTree> = {
  scan: scanQt,
  goneKeys,
  formsOf,
  retarget: retargetQt,
  insert: insertMessages,
  remove: removeMessages,
};
