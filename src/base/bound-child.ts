import { execFile, spawn, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

/** Functions to call when this program exits, in any way: each kills one child process. */
const pending = new Set<() => void>();
let isWatching = false;

/** @returns what takes `kill` back, once the child is gone */
export function killAtExit(kill: () => void): () => void {
  pending.add(kill);
  if (!isWatching) {
    isWatching = true;
    process.on('exit', () => {
      for (const each of pending) each();
    });
  }
  return () => void pending.delete(kill);
}

/**
 * Kills the processes and groups that were named to it when its input ends. A terminal and a service manager send their
 * signals to all processes, and it has to outlive the others.
 */
const GUARD = `
trap '' HUP INT QUIT TERM
all=
while read -r sign id; do
  rest=
  for each in $all; do [ "$each" = "$id" ] || rest="$rest $each"; done
  all=$rest
  [ "$sign" = - ] || all="$all $id"
done
for each in $all; do kill -9 "$each"; done
`;

let guard: ChildProcess | undefined;

function startGuard(): ChildProcess {
  const started = spawn('/bin/sh', ['-c', GUARD], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: {},
    detached: true,
  });
  // Without a shell, children are killed by `killAtExit` only.
  started.on('error', () => undefined);
  started.stdin?.on('error', () => undefined);
  started.unref();
  if (started.stdin instanceof Socket) started.stdin.unref();
  return started;
}

/**
 * Starts a child that does not outlive this process, whatever ends it: a signal that it cannot handle closes the input of
 * a guard, which kills the child then. Windows does so by itself.
 *
 * @param kill for an exit in order, which does not wait for the guard
 * @param isGroup the child leads a process group, which goes with it
 * @returns also a function to call once the child is gone
 */
export function startBound(
  start: () => ChildProcess,
  kill: (child: ChildProcess) => void,
  { isGroup = false } = {},
): { readonly child: ChildProcess; readonly forget: () => void } {
  // First, so that there is no moment without it.
  if (process.platform !== 'win32') guard ??= startGuard();
  const child = start();
  const { pid } = child;
  // Without an id it never started.
  if (pid === undefined) return { child, forget: () => undefined };
  const name = isGroup ? -pid : pid;
  guard?.stdin?.write(`+ ${name}\n`);
  const takeBack = killAtExit(() => kill(child));
  return {
    child,
    forget() {
      takeBack();
      guard?.stdin?.write(`- ${name}\n`);
    },
  };
}

const run = promisify(execFile);

/**
 * Runs a program to its end, which does not outlive this process.
 *
 * @param options its `signal` and `timeout` kill the program, which cannot prevent it
 * @param input standard input
 * @throws as `execFile` of Node does
 */
export async function runBound(
  file: string,
  args: readonly string[],
  { signal, ...options }: ExecFileOptions,
  input: string | Uint8Array = '',
): Promise<string> {
  signal?.throwIfAborted();
  let running: ReturnType<typeof run> | undefined;
  const { child, forget } = startBound(
    () => {
      running = run(file, args, { ...options, encoding: 'utf8', killSignal: 'SIGKILL', windowsHide: true });
      return running.child;
    },
    (started) => started.kill('SIGKILL'),
  );
  const stop = (): void => {
    child.kill('SIGKILL');
    // Processes that it started may hold them.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  signal?.addEventListener('abort', stop);
  // A program may end before it has read everything.
  child.stdin?.on('error', () => undefined).end(input);
  try {
    return String((await running)?.stdout);
  } finally {
    signal?.removeEventListener('abort', stop);
    forget();
  }
}
