import type { Format } from '../format.ts';
import type { EntryTree } from '../xml/insert.ts';
import { parseXml } from '../xml/parser.ts';
import { insertMessages, removeMessages } from './insert.ts';
import { retargetQt } from './retarget.ts';
import { readQt, scanQt } from './scan.ts';

/** The translation files of Qt Linguist. */
export const qt: Format<EntryTree> = {
  scan: scanQt,
  read: readQt,
  // The tree of a document is kept, and weighs as much as the rest of it.
  retarget: ({ text }, options) => retargetQt(parseXml(text), options),
  insert: insertMessages,
  remove: removeMessages,
};
