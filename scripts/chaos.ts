import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { hasPostgres } from '../test/postgres/cluster.ts';
import { faultsOf, reportOf, type Outcome } from '../test/chaos/load.ts';
import { chaosRows, openPlace, type ChaosRow } from '../test/chaos/rows.ts';
import { runTimed } from './bench/measure.ts';

/**
 * Breaks the infrastructure of several servers on one database in every way that the design covers, and
 * counts the losses of clients:
 * `npm run chaos -- [--kills N] [--only TEXT] [--seed S] [--earlier COMMIT|DIR] [--short]`. Everything runs
 * on this machine; without options it takes about half an hour. The exit code is 1 if anything acknowledged
 * was lost or charged twice.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string' },
    earlier: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const kills = values.kills === undefined ? undefined : Number(values.kills);
if (!Number.isInteger(seed) || (kills !== undefined && !(Number.isInteger(kills) && kills > 0))) {
  process.stderr.write(
    'usage: npm run chaos -- [--kills N] [--only TEXT] [--seed S] [--earlier COMMIT|DIR] [--short]\n',
  );
  process.exit(2);
}
if (!hasPostgres) {
  process.stderr.write('PostgreSQL 15 or newer is not installed: there is nothing to break\n');
  process.exit(2);
}

const HEADS = ['failure', 'done', 'answered', 'jobs', '503', 'other', 'lost', 'twice', 'reserved', 'seconds'];
const WIDTHS = [36, 40, 9, 6, 6, 14, 5, 6, 9, 8];

function printLine(cells: readonly (string | number)[]): void {
  const line = cells.map((cell, i) => String(cell)[i < 2 ? 'padEnd' : 'padStart'](WIDTHS[i] ?? 0)).join(' ');
  process.stdout.write(`${line.trimEnd()}\n`);
}

function sizeOf({ name, sizes }: ChaosRow): number {
  if (name.startsWith('kill') && kills !== undefined) return kills;
  return values.short ? sizes.short : sizes.whole;
}

function report(row: ChaosRow, outcome: Outcome, seconds: string): void {
  const { did, answered, jobs, statuses, findings } = outcome;
  const others = [...statuses].filter(([code]) => !['200', '201', '503'].includes(code));
  const other = others.map(([code, count]) => `${count}×${code}`).join(' ') || '0';
  const { lost, twice, reserved } = findings;
  printLine([row.name, did, answered, jobs, statuses.get('503') ?? 0, other, lost, twice, reserved, seconds]);
  if (findings.chargedUnheard > 0) {
    process.stdout.write(`  ${findings.chargedUnheard} requests without an answer were charged\n`);
  }
  const faults = faultsOf(outcome, row.allowed);
  if (faults.length === 0) return;
  process.exitCode = 1;
  const marked = faults.map((fault) => `  ✗ ${fault}`);
  process.stdout.write(`${reportOf(marked, outcome.log)}\n`);
}

runTimed('npm', ['run', '--silent', 'build']);
process.stdout.write(`seed ${seed}\n`);
printLine(HEADS);
const place = await openPlace(values.earlier);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void place.close().finally(() => process.exit(1)));
}
try {
  for (const row of chaosRows) await tryRow(row);
} finally {
  await place.close();
}

async function tryRow(row: ChaosRow): Promise<void> {
  const size = sizeOf(row);
  if (!row.name.includes(values.only ?? '') || size === 0) return;
  if (row.skipped !== undefined) {
    process.stdout.write(`${row.name}: skipped, ${row.skipped}\n`);
    return;
  }
  const began = performance.now();
  try {
    const outcome = await row.run(place, size, seed);
    report(row, outcome, ((performance.now() - began) / 1000).toFixed(0));
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(`${row.name}: ${String(error)}\n`);
  }
}
