/** How much of a file is outside values, and how much of that differs in the translation. */
export interface Outside {
  readonly bytes: number;
  readonly changed: number;
}

/** The number of bytes from the first difference of two texts to the last. */
export function differingBytes(before: string, after: string): number {
  if (before === after) return 0;
  const [a, b] = [Buffer.from(before), Buffer.from(after)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return Math.max(a.length, b.length) - start - end;
}

/** The content of all files outside of values, by format. */
export class OutsideTable {
  readonly #rows = new Map<string, { files: number; bytes: number; changed: number }>();

  add(format: string, { bytes, changed }: Outside): void {
    const row = this.#rows.get(format) ?? { files: 0, bytes: 0, changed: 0 };
    row.files++;
    row.bytes += bytes;
    row.changed += changed;
    this.#rows.set(format, row);
  }

  print(): void {
    const rows = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = rows.map(([format, { files, bytes, changed }]) =>
      [format, files, bytes, changed].map(String),
    );
    for (const line of [['format', 'files', 'bytes outside values', 'changed'], ...lines]) {
      const [format = '', ...numbers] = line;
      process.stdout.write(
        `${format.padEnd(12)}${numbers.map((text, i) => text.padStart(i === 1 ? 22 : 9)).join('')}\n`,
      );
    }
  }
}
