import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../harness.ts';

const BIN = join(import.meta.dirname, '../../../bin/dragoman.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The file that receives standard output, as after `>`. Default: a pipe. */
  readonly stdoutFile?: string;
  /** Ends the program when standard error contains this. */
  readonly until?: RegExp;
}

/** Runs the built program in its own process, with a home directory outside of the checkout. */
export async function runBuilt(argv: readonly string[], start: Start): Promise<Ended> {
  const { cwd, env = {}, stdin = '', stdoutFile, until } = start;
  const file = stdoutFile === undefined ? undefined : openSync(stdoutFile, 'w');
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: temporaryDirectory(), ...env },
    stdio: ['pipe', file ?? 'pipe', 'pipe'],
  });
  if (file !== undefined) closeSync(file);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    if (until?.test(stderr)) child.kill('SIGTERM');
  });
  child.stdin?.on('error', () => undefined).end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
