import { spawnSync } from 'node:child_process';
import type { Input, Reading } from './reader.ts';

const LIMIT_MS = 60_000;
const MAX_OUTPUT = 1 << 30;

/** Whether a command can be run and succeeds. */
export function works(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore', timeout: LIMIT_MS }).status === 0;
}

/** Runs a program that reads all files from its standard input and answers with one JSON array. */
export function readWith(
  command: string,
  args: readonly string[],
  files: readonly Input[],
): readonly Reading[] {
  const jobs = files.map(({ bytes, fragments }) => ({
    data: Buffer.from(bytes).toString('base64'),
    fragments: fragments ?? [],
  }));
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    input: JSON.stringify(jobs),
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: MAX_OUTPUT,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
  const readings: readonly Reading[] = JSON.parse(stdout);
  if (readings.length !== files.length)
    throw new Error(`${command} read ${readings.length} of ${files.length} files`);
  return readings;
}
