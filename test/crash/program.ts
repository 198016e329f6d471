import { spawn, type ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { journalPath } from '../../src/project/state/journal.ts';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

export interface Running {
  readonly child: ChildProcess;
  /** Resolves when the process has ended and its streams are closed. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: string | null;
    readonly stderr: string;
  }>;
}

/** The journal of a program that is started in a project. */
export function journalOf(root: string): string {
  return journalPath(realpathSync(root), join(root, '.state', 'dragoman'));
}

/** Starts the built program in its own process. */
export function start(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      XDG_CACHE_HOME: join(cwd, '.cache'),
      XDG_STATE_HOME: join(cwd, '.state'),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<Awaited<Running['ended']>>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  return { child, ended };
}
