import { parseArgs } from 'node:util';
import { Site } from '../test/attack/room.ts';
import { tryRow, type AttackRow, type Outcome } from '../test/attack/row.ts';
import { attackAreas } from '../test/attack/rows.ts';
import { buildProgram } from '../test/program-build.ts';

/**
 * Attacks the built program with hostile checkouts, servers and neighbours that it creates itself, on loopback, and
 * prints the results: `npm run attack -- [--only TEXT]`. It takes a few minutes. The exit code is 1 if a row is not as
 * expected.
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });

const WIDTHS = [12, 58, 50];

function printLine(cells: readonly string[]): void {
  process.stdout.write(
    `${cells
      .map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0))
      .join('  ')
      .trimEnd()}\n`,
  );
}

function report(area: string, row: AttackRow, { seen, checks, faults }: Outcome, seconds: string): void {
  const result =
    faults.length === 0 ? `ok: ${seen} (${checks} checks, ${seconds} s)` : `NOT AS EXPECTED: ${seen}`;
  printLine([area, row.attack, row.expected, result]);
  for (const fault of faults) process.stdout.write(`  ✗ ${fault}\n`);
}

buildProgram();
const chosen = attackAreas.flatMap(({ name, rows }) =>
  rows.filter(({ attack }) => `${name}: ${attack}`.includes(values.only)).map((row) => ({ area: name, row })),
);
if (chosen.length === 0) {
  process.stderr.write(`no row has ${JSON.stringify(values.only)} in its name\n`);
  process.exit(2);
}
printLine(['area', 'attack', 'expectation', 'result']);
const site = new Site();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void site.close().finally(() => process.exit(130)));
let [wrong, skipped] = [0, 0];
const began = performance.now();
try {
  for (const { area, row } of chosen) {
    if (row.skipped !== undefined) {
      skipped++;
      printLine([area, row.attack, row.expected, `skipped: ${row.skipped}`]);
      continue;
    }
    const started = performance.now();
    const outcome = await tryRow(row, site);
    if (outcome.faults.length > 0) wrong++;
    report(area, row, outcome, ((performance.now() - started) / 1000).toFixed(1));
  }
} finally {
  await site.close();
}
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
process.stdout.write(
  `${chosen.length - wrong - skipped} as expected, ${wrong} not, ${skipped} skipped, in ${minutes} minutes\n`,
);
process.exitCode = wrong === 0 ? 0 : 1;
