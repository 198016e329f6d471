/** Lines of a table: cells padded to the width of their column, the last one left as it is. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows.map((row) => {
    const last = row.length - 1;
    return row.map((cell, i) => (i === last ? cell : cell.padEnd(widths[i] ?? 0))).join('  ');
  });
}
