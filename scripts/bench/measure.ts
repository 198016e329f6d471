import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Run {
  readonly milliseconds: number;
  readonly stdout: string;
}

/** Runs a command to its end, and measures the time of the whole process. */
export function runTimed(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Run {
  const started = performance.now();
  const run = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: 600_000,
    env,
  });
  const milliseconds = performance.now() - started;
  if (run.error) throw run.error;
  if (run.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${run.status}: ${run.stderr}`);
  return { milliseconds, stdout: run.stdout };
}

/** The cost of a whole Node process. */
export interface Figures {
  readonly milliseconds: number;
  /** Milliseconds of all threads. */
  readonly cpu: number;
  /** The peak, in MB. */
  readonly megabytes: number;
  /** The number of opened files. */
  readonly opens: number;
}

/**
 * Runs a program with Node, and measures the process.
 * @param home the program's home directory, in which a file receives the figures
 */
export function runMeasured(home: string, argv: readonly string[]): Figures & Run {
  const path = join(home, 'figures.json');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, FIGURES: path };
  const preload = ['--import', join(import.meta.dirname, 'figures.mjs')];
  const run = runTimed(process.execPath, [...preload, ...argv], env);
  const figures = JSON.parse(readFileSync(path, 'utf8')) as Omit<Figures, 'milliseconds'>;
  return { ...figures, ...run };
}

/** Calls `work` with a temporary directory, which is removed afterwards. */
export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Calls each of the functions in turn, `times` times, so that a slow machine affects all of them. */
export async function interleave<T>(
  times: number,
  functions: readonly (() => T | Promise<T>)[],
): Promise<readonly (readonly T[])[]> {
  const results = functions.map((): T[] => []);
  for (let time = 0; time < times; time++) {
    for (const [index, run] of functions.entries()) results[index]?.push(await run());
  }
  return results;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Prints a measurement, and next to it its aim, which is never asserted. */
export function printRow(
  what: string,
  figures: string,
  aim?: { readonly text: string; readonly met: boolean },
): void {
  const verdict = aim ? `   aim ${aim.text}: ${aim.met ? 'met' : 'MISSED'}` : '';
  process.stdout.write(`${what.padEnd(48)}  ${figures}${verdict}\n`);
}

export function printSkipped(section: string, reason: string): void {
  process.stdout.write(`SKIPPED ${section}: ${reason}\n`);
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
