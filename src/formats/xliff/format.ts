import type { Format } from '../format.ts';
import type { EntryTree } from '../xml/insert.ts';
import { insertUnits, removeUnits } from './insert.ts';
import { retargetXliff } from './retarget.ts';
import { scanXliff } from './scan.ts';
import { replaceSources } from './sources.ts';

/** Bilingual files of XLIFF 1.2 and 2.x. */
export const xliff: Format<EntryTree> = {
  scan: scanXliff,
  retarget: retargetXliff,
  insert: insertUnits,
  followSource: replaceSources,
  remove: removeUnits,
};
