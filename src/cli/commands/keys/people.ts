import { DragomanError } from '../../../base/errors.ts';
import { readInput } from '../../../documents/localization/open-file.ts';
import { decode } from '../../../formats/encoding.ts';
import { describeFormat } from '../../../formats/registry.ts';
import { type CsvRecord, recordsOf } from '../../../formats/csv/records.ts';
import type { NewAccount } from '../../../store/account-store.ts';
import { credits } from './new-key.ts';

/** One row of the table. */
interface Person {
  readonly email: string;
  readonly name: string | undefined;
  readonly credits: number | undefined;
}

const COLUMNS = ['email', 'name', 'credits'] as const;

/**
 * The accounts of a table whose first row names the columns `email` and optionally `name` and `credits`. An empty cell
 * means the default.
 *
 * @param accountOf creates an account from a row
 * @throws DragomanError `unreadable_input` with the line of an invalid row, or of one that `accountOf` refuses
 */
export async function readPeople(
  path: string,
  accountOf: (person: Person) => NewAccount,
): Promise<readonly NewAccount[]> {
  try {
    const { text } = await decode(await readInput(path), describeFormat('csv'));
    return readTable([...recordsOf(text)], accountOf);
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

function readTable(
  [head, ...rows]: readonly CsvRecord[],
  accountOf: (person: Person) => NewAccount,
): readonly NewAccount[] {
  const columns = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const unknown = columns.find((column) => !COLUMNS.some((name) => name === column));
  if (unknown !== undefined || !columns.includes('email')) {
    const message = unknown === undefined ? 'the table has no column "email"' : `unknown column "${unknown}"`;
    throw faultAt(1, message, `The first row names the columns: ${COLUMNS.join(',')}.`);
  }
  const lines = new Map<string, number>();
  return rows.map(({ cells, line }) => {
    const cellOf = (name: (typeof COLUMNS)[number]): string | undefined =>
      cells[columns.indexOf(name)]?.trim() || undefined;
    const email = cellOf('email') ?? '';
    const earlier = lines.get(email);
    if (earlier !== undefined) throw faultAt(line, `${email} is already on line ${earlier}`);
    lines.set(email, line);
    try {
      const amount = cellOf('credits');
      return accountOf({
        email,
        name: cellOf('name'),
        credits: amount === undefined ? undefined : credits(amount),
      });
    } catch (error) {
      throw error instanceof Error ? faultAt(line, error.message) : error;
    }
  });
}

function faultAt(line: number, message: string, hint?: string): DragomanError {
  return new DragomanError('unreadable_input', message, { at: { line, column: 1 }, hint });
}
