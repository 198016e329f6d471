import { DragomanError, type Location } from '../../base/errors.ts';
import { nearest, withSuggestion } from '../../base/nearest.ts';
import { positionsIn } from '../../base/span.ts';
import { type CsvRecord, recordsOf } from '../../formats/csv/records.ts';
import { parseLocale } from '../../languages/locale.ts';
import { suggestLanguage } from '../../languages/catalog.ts';
import { configurationFile, type ConfigurationFile, type ValuePath } from '../config/schema.ts';

/** The names of columns that are not languages, and the term's field in each. */
export const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['term', 'term'],
  ['dnt', 'dnt'],
  ['do_not_translate', 'dnt'],
  ['case', 'case'],
  ['note', 'note'],
]);

/**
 * Reads a glossary table into a list of terms, as in YAML. The separator is the most frequent one in the header: comma,
 * semicolon or tab.
 *
 * @throws DragomanError `configuration`
 */
export function readGlossaryCsv(path: string, text: string): ConfigurationFile {
  const rows = readRows(path, text);
  const head = rows[0] ?? { cells: [], places: [], line: 1 };
  const terms = rows.slice(1);
  const placeOf = ({ places }: CsvRecord, column: number): Location => {
    const at = (places[column] ?? places.at(-1))?.start ?? 0;
    return { ...positionsIn(text)(at), file: path };
  };
  const fail: FailAtCell = (row, column, message, hint) => {
    throw new DragomanError('configuration', message, { hint, at: placeOf(row, column) });
  };
  const columns = readColumns(head, fail);
  const value = terms.map((row) => termOf(row, columns, fail));
  return configurationFile(path, value, ([row, ...at]) => {
    const column = columns.findIndex((names) => names.every((name, i) => name === at[i]));
    return placeOf((row === undefined ? head : terms[Number(row)]) ?? head, Math.max(0, column));
  });
}

type FailAtCell = (row: CsvRecord, column: number, message: string, hint?: string) => never;

function readRows(path: string, text: string): readonly CsvRecord[] {
  try {
    return [...recordsOf(text)].filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError('configuration', 'not well-formed CSV: a quotation mark is out of place', {
      hint: 'Put a cell with a quotation mark in quotation marks, and write the mark itself twice.',
      at: { line: 1, column: 1, ...error.at, file: path },
      cause: error,
    });
  }
}

/** The field of a term in each column, as a path. */
function readColumns(head: CsvRecord, fail: FailAtCell): readonly ValuePath[] {
  const seen = new Set<string>();
  const columns = head.cells.map((cell, i): ValuePath => {
    const name = cell.trim();
    const known = COLUMNS.get(name.toLowerCase());
    const code = known === undefined ? parseLocale(name) : undefined;
    if (known === undefined && code === undefined) {
      const suggestion = nearest(name, COLUMNS.keys()) ?? suggestLanguage(name);
      const hint = 'Columns are term, dnt, case, note, and language codes.';
      const what =
        name === ''
          ? 'a column has no name'
          : `${JSON.stringify(name)} is neither a column nor a language code`;
      fail(head, i, what, withSuggestion(suggestion, hint));
    }
    if (seen.has(known ?? code ?? ''))
      fail(head, i, `there are two columns for ${known ?? code}`, 'Remove one of them.');
    seen.add(known ?? code ?? '');
    return known === undefined ? ['translations', name] : [known];
  });
  if (!seen.has('term')) {
    const hint = 'The first line names the columns: term, dnt, case, note, and language codes.';
    fail(head, 0, 'the glossary has no column `term`', hint);
  }
  return columns;
}

function termOf(row: CsvRecord, columns: readonly ValuePath[], fail: FailAtCell): unknown {
  const term: Record<string, unknown> = {};
  const translations: Record<string, readonly string[]> = {};
  row.cells.forEach((cell, i) => {
    if (cell.trim() === '') return;
    const [column, language] = columns[i] ?? [];
    if (column === undefined) {
      fail(row, i, 'the row has more cells than the header', 'Put a cell with a comma in quotation marks.');
    } else if (language === undefined) term[column] = cell;
    else translations[language] = cell.split('|');
  });
  return { term: '', ...term, translations };
}
