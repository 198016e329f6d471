import type { Format } from '../format.ts';
import { languagesOf } from './table.ts';
import { insertCells, removeCells, retargetTable } from './insert.ts';
import { read, scan, type CsvTree } from './scan.ts';

/** Tables with a row for each key and a column for each language. */
export const csv: Format<CsvTree> = {
  scan,
  read,
  languages: languagesOf,
  retarget: retargetTable,
  insert: insertCells,
  remove: removeCells,
};
