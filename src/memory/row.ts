import { DragomanError } from '../base/errors.ts';

/** The types of a query's columns. */
export type RowShape = readonly ('text' | 'number' | 'text or null' | 'number or null')[];

/** A row of a query, by its columns. */
export type RowOf<S extends RowShape> = {
  readonly [I in keyof S]: S[I] extends 'text'
    ? string
    : S[I] extends 'number'
      ? number
      : S[I] extends 'text or null'
        ? string | null
        : number | null;
};

/**
 * Checks the types in rows, because SQLite allows any type in any column.
 *
 * @throws DragomanError `unreadable_input` for other types
 */
export function checkRows<S extends RowShape>(rows: readonly unknown[], shape: S): readonly RowOf<S>[] {
  if (areRows(rows, shape)) return rows;
  throw new DragomanError('unreadable_input', 'it is damaged');
}

function areRows<S extends RowShape>(rows: readonly unknown[], shape: S): rows is readonly RowOf<S>[] {
  return rows.every(
    (row) => Array.isArray(row) && row.length >= shape.length && shape.every((type, i) => isA(type, row[i])),
  );
}

function isA(type: RowShape[number], value: unknown): boolean {
  if (value === null) return type === 'text or null' || type === 'number or null';
  return typeof value === (type === 'text' || type === 'text or null' ? 'string' : 'number');
}
