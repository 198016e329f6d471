import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

export interface ServedProcess {
  readonly url: string;
  /** Its output on standard error so far. */
  log(): string;
  /** Stops it with SIGTERM, as an operator does; returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills it with SIGKILL, like a crash. */
  kill(): Promise<void>;
}

/** A real `dragoman serve` on a free port, once it listens. The caller stops it. */
export async function serve(
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<ServedProcess> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, ...variables };
  const child = spawn(process.execPath, [BIN, 'serve', ...args, '--port', '0'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const deadline = setTimeout(() => child.kill('SIGKILL'), 45_000);
  try {
    let ready: RegExpExecArray | null;
    while ((ready = /^dragoman listening on (\S+)$/m.exec(log)) === null) {
      if (hasEnded(child)) throw new Error(`dragoman serve ended: ${log}`);
      await Promise.race([once(child.stderr, 'data'), once(child, 'close')]);
    }
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL');
      if (!hasEnded(child)) await once(child, 'close');
    };
    return { url: ready[1] ?? '', log: () => log, stop: () => stop(child), kill };
  } finally {
    clearTimeout(deadline);
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function stop(child: ChildProcess): Promise<number | null> {
  if (!hasEnded(child)) {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    const deadline = setTimeout(() => child.kill('SIGKILL'), 45_000);
    await ended;
    clearTimeout(deadline);
  }
  return child.exitCode;
}
