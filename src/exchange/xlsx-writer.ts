import { type Cell, writeXlsx as write } from 'hucre/xlsx';
import { type ExchangeDocument, type ExchangeUnit } from './unit.ts';
import { notesOf } from './unit-notes.ts';
import { COLUMNS, MAX_CELL, SHEET_CONTROLS } from './xlsx-table.ts';

/** Spreadsheets keep input in cells with this style as text: `=1`, `1/2` and `0012` stay unchanged. */
const TEXT = { numFmt: '@', alignment: { wrapText: true, vertical: 'top' } } as const;

const WIDTHS: Readonly<Record<(typeof COLUMNS)[number], number>> = {
  Key: 28,
  Source: 50,
  Translation: 50,
  State: 14,
  Notes: 40,
  File: 24,
  ID: 12,
};

/**
 * Writes a workbook with one sheet and one row per text. Every cell is text, so that no program evaluates it. Units
 * with control characters, or with more characters than a cell can hold, are skipped and reported.
 */
export async function writeXlsx(document: ExchangeDocument): Promise<Uint8Array> {
  const { units, target, version, onSkip } = document;
  const rows: string[][] = [[...COLUMNS]];
  for (const unit of units) {
    const reason = unfitting(unit);
    if (reason === undefined) rows.push(rowOf(unit));
    else onSkip(unit, reason);
  }
  const cells = new Map<string, Partial<Cell>>();
  for (const [row, values] of rows.entries())
    for (const [column, value] of values.entries())
      cells.set(`${row},${column}`, { value: escapeSheetText(value), type: 'string', style: TEXT });
  return write({
    // Inline strings would lose leading and trailing spaces.
    stringMode: 'shared',
    properties: { creator: `dragoman ${version}` },
    sheets: [
      {
        name: target,
        rows: rows.map((values) => values.map(escapeSheetText)),
        cells,
        columns: COLUMNS.map((name) => ({ width: WIDTHS[name], hidden: name === 'ID', style: TEXT })),
        freezePane: { rows: 1 },
      },
    ],
  });
}

function rowOf(unit: ExchangeUnit): string[] {
  const { id, key, category, source, translation = '', state, file } = unit;
  const notes = notesOf(unit).map(({ kind, text }) =>
    kind === 'previous-source' ? `before: ${text}` : text,
  );
  return [
    category === undefined ? key : `${key} [${category}]`,
    source,
    translation,
    state,
    notes.join('\n'),
    file,
    id,
  ].map((value, at) => (at === 1 || at === 2 ? value : shown(value)));
}

function unfitting({ source, translation = '' }: ExchangeUnit): string | undefined {
  for (const value of [source, translation]) {
    if (SHEET_CONTROLS.test(value) || !value.isWellFormed()) return 'a sheet cannot hold control characters';
    if (escapeSheetText(value).length > MAX_CELL) return `a cell holds at most ${MAX_CELL} characters`;
  }
  return undefined;
}

/** For cells that an import ignores. */
function shown(value: string): string {
  const text = value.replace(new RegExp(SHEET_CONTROLS, 'g'), '�').toWellFormed();
  return text.length > MAX_CELL / 2 ? `${text.slice(0, MAX_CELL / 2)}…` : text;
}

/** Escapes text that spreadsheets would decode: they read `_x0041_` as `A`. */
function escapeSheetText(value: string): string {
  return value.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}
