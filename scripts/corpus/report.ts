import type { Verdict } from './verdict.ts';

export interface ReportOptions {
  /** Whether to list every note; otherwise, after three of a kind in a file, the rest are only counted. */
  readonly verbose: boolean;
  readonly seconds: number;
}

const HEAD = [
  'file',
  'dialect',
  'encoding',
  'slots',
  'identity',
  'changed',
  'kept',
  'outside',
  'reader',
  'i18n',
];
const NUMBERS = new Set([3, 5, 6]);
const SHOWN = 3;

/** Prints the table, notes on single files, and the totals. Returns whether there were no problems. */
export function printReport(
  verdicts: readonly Verdict[],
  skipped: readonly string[],
  { verbose, seconds }: ReportOptions,
): boolean {
  const rows = verdicts.map((v) => [
    v.name,
    v.dialect,
    v.encoding,
    String(v.slots),
    v.identity,
    String(v.changed),
    String(v.kept),
    v.outside,
    v.reader,
    v.i18n,
  ]);
  printTable([HEAD, ...rows]);
  for (const { name, problems, notes } of verdicts) {
    printLines(name, 'FAIL', problems, verbose);
    printLines(name, 'note', notes, verbose);
  }
  for (const reader of skipped) print(`SKIPPED ${reader}`);
  const failed = verdicts.filter(({ problems }) => problems.length > 0).length;
  const refused = verdicts.filter(({ identity }) => identity === '-').length;
  const sum = (of: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, verdict) => total + of(verdict), 0);
  print(
    `\n${verdicts.length} files: ${verdicts.length - failed} ok (${refused} of them refused), ${failed} not ok; ` +
      `${sum((v) => v.slots)} slots, ${sum((v) => v.changed)} changed, ${sum((v) => v.kept)} kept; ` +
      `${skipped.length} readers skipped; ${seconds.toFixed(1)} s`,
  );
  return failed === 0;
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return NUMBERS.has(column) ? cell.padStart(width) : cell.padEnd(width);
    });
    print(cells.join('  ').trimEnd());
  }
  print('');
}

function printLines(name: string, label: string, lines: readonly string[], verbose: boolean): void {
  const shown = verbose ? lines : lines.slice(0, SHOWN);
  for (const line of shown) print(`${label} ${name}: ${line}`);
  if (shown.length < lines.length)
    print(`${label} ${name}: and ${lines.length - shown.length} more (--verbose)`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
