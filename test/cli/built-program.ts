import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

export interface BuiltResult {
  /** Null for a program that was killed because it took too long. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** Runs the built program in its own process with an empty HOME; it is killed after 45 seconds. */
export function runBuilt(
  argv: readonly string[],
  cwd: string,
  { env = {}, input = '' }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): BuiltResult {
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, XDG_CACHE_HOME: join(cwd, '.cache'), ...env },
    encoding: 'utf8',
    input,
    timeout: 45_000,
    killSignal: 'SIGKILL',
  });
  return { status, stdout, stderr, milliseconds: performance.now() - begin };
}
