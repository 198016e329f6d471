import type { Format } from '../format.ts';
import { languagesOf } from './table.ts';
import { insertCells, removeCells, retargetTable } from './insert.ts';
import { scan, type CsvTree } from './scan.ts';

/** Tables with a row for each key and a column for each language. */
export const csv: Format<CsvTree> = {
  scan,
  languages: languagesOf,
  retarget: retargetTable,
  insert: insertCells,
  remove: removeCells,
};
