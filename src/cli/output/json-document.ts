/** A piece is written once it is this long. */
const PIECE = 1 << 16;

/**
 * Writes JSON as `JSON.stringify(value, null, 2)` gives it, in pieces: no string can hold all of a large document. A
 * text of the document is never divided.
 *
 * @param value plain data, which `JSON.stringify` can write
 */
export function writeJson(value: unknown, write: (piece: string) => void): void {
  let piece = '';
  const add = (text: string): void => {
    piece += text;
    if (piece.length < PIECE) return;
    write(piece);
    piece = '';
  };
  const addAll = (
    items: readonly (readonly [key: string, item: unknown])[],
    [open, close]: string,
    line: string,
  ): void => {
    items.forEach(([key, item], i) => {
      add(`${i === 0 ? open : ','}${line}  ${key}`);
      visit(item, `${line}  `);
    });
    add(items.length === 0 ? `${open}${close}` : `${line}${close}`);
  };
  const visit = (item: unknown, line: string): void => {
    if (Array.isArray(item)) {
      addAll(
        item.map((one: unknown) => ['', one ?? null] as const),
        '[]',
        line,
      );
    } else if (typeof item === 'object' && item !== null && !('toJSON' in item)) {
      const entries = Object.entries(item).filter(([, one]) => one !== undefined);
      addAll(
        entries.map(([key, one]) => [`${JSON.stringify(key)}: `, one] as const),
        '{}',
        line,
      );
    } else add(JSON.stringify(item));
  };
  visit(value, '\n');
  write(piece);
}
