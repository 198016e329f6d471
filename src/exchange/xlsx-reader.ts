import { type Cell, type CellValue, colToLetter, readXlsx as read, type Sheet } from 'hucre/xlsx';
import { DragomanError } from '../base/errors.ts';
import { VERDICTS, type Verdict } from '../project/state/decision.ts';
import { readUnitId, type ReturnedUnit } from './unit.ts';
import { SHEET_CONTROLS } from './xlsx-table.ts';
import { requireBoundedZip } from './zip-directory.ts';

/** The maximum total size of all unzipped parts. */
const MAX_BYTES = 128 << 20;
const MAX_ROWS = 200_000;
const LAST_COLUMN = 'Z';

/**
 * The translations in a workbook that `writeXlsx` wrote and a translator returned. Reads the first sheet, whose rows
 * and columns may be reordered. A formula, number or control character is a fault of its row.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` for other files
 */
export async function readXlsx(bytes: Uint8Array): Promise<readonly ReturnedUnit[]> {
  requireBoundedZip(bytes, MAX_BYTES);
  const sheet = await firstSheet(bytes);
  const [header = [], ...rows] = sheet.rows;
  const columnOf = (name: string): number => header.findIndex((cell) => cell === name);
  const [id, translation, state] = [columnOf('ID'), columnOf('Translation'), columnOf('State')];
  if (id < 0 || translation < 0)
    throw new DragomanError('unreadable_input', 'the first sheet has no columns "ID" and "Translation"', {
      hint: 'Import the file that dragoman export wrote, with its first row.',
    });
  if (rows.length >= MAX_ROWS)
    throw new DragomanError('limit_exceeded', `the sheet has more than ${MAX_ROWS} rows`);
  const units: ReturnedUnit[] = [];
  for (const [at, values] of rows.entries()) {
    const row = at + 1;
    if (values.every((value) => value === null || value === '')) continue;
    const name = values[id];
    const place = {
      at: { line: row + 1, column: translation + 1 },
      cell: `${colToLetter(translation)}${row + 1}`,
    };
    if (typeof name !== 'string' || readUnitId(name) === undefined) {
      units.push({ ...place, id: '', fault: 'its cell "ID" was changed' });
      continue;
    }
    const verdict = values[state];
    const text = textOf(values[translation] ?? null, sheet.cells?.get(`${row},${translation}`));
    units.push({ ...place, id: name, verdict: verdictOf(verdict), ...text });
  }
  return units;
}

async function firstSheet(bytes: Uint8Array): Promise<Sheet> {
  let sheets: readonly Sheet[];
  try {
    ({ sheets } = await read(bytes, { sheets: [0], range: `A1:${LAST_COLUMN}${MAX_ROWS + 1}` }));
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new DragomanError('unreadable_input', `not a readable XLSX file: ${detail}`, { cause });
  }
  const [sheet] = sheets;
  if (!sheet) throw new DragomanError('unreadable_input', 'not a readable XLSX file: it has no sheet');
  return sheet;
}

function textOf(value: CellValue, cell: Cell | undefined): Pick<ReturnedUnit, 'value' | 'fault'> {
  if (cell?.type === 'formula' || cell?.formula !== undefined)
    return { fault: 'its cell contains a formula' };
  if (value === null || value === '') return {};
  if (typeof value !== 'string') return { fault: 'its cell contains a number or date; format it as text' };
  if (cell?.type === 'error') return { fault: 'its cell contains an error' };
  if (SHEET_CONTROLS.test(value)) return { fault: 'its cell contains a control character' };
  return { value };
}

function verdictOf(state: CellValue | undefined): Verdict | undefined {
  return VERDICTS.find((verdict) => verdict === state);
}
