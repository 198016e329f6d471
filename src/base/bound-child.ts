import { execFile, spawn, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

/** Functions to call when this program exits in any way; each kills one child process. */
const pending = new Set<() => void>();
let isWatching = false;

/** @returns a function that unregisters `kill`, to call once the child has ended */
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
 * Kills the registered processes and groups when its input ends. Terminals and service managers signal all processes,
 * and the guard must outlive the others.
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
  // Without a shell, only `killAtExit` kills the children.
  started.on('error', () => undefined);
  started.stdin?.on('error', () => undefined);
  started.unref();
  if (started.stdin instanceof Socket) started.stdin.unref();
  return started;
}

/**
 * Starts a child that cannot outlive this process: if a signal kills this process, a guard's input closes, and the
 * guard kills the child. On Windows, the system kills the child.
 *
 * @param kill called at a normal exit, which does not wait for the guard
 * @param isGroup whether the child leads a process group, which is killed with it
 * @returns the child, and a function to call once it has ended
 */
export function startChild(
  start: () => ChildProcess,
  kill: (child: ChildProcess) => void,
  { isGroup = false } = {},
): { readonly child: ChildProcess; readonly forget: () => void } {
  // The guard starts first, so that the child is always guarded.
  if (process.platform !== 'win32') guard ??= startGuard();
  const child = start();
  const { pid } = child;
  // A child without an id did not start.
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
 * Runs a program to its end, in a child that cannot outlive this process.
 *
 * @param options its `signal` and `timeout` kill the program with SIGKILL; `encoding` is that of its output
 * @param input standard input
 * @throws like Node's `execFile`
 */
export async function runChild(
  file: string,
  args: readonly string[],
  { signal, encoding = 'utf8', ...options }: ExecFileOptions & { readonly encoding?: 'utf8' | 'latin1' },
  input: string | Uint8Array = '',
): Promise<string> {
  signal?.throwIfAborted();
  let running: ReturnType<typeof run> | undefined;
  const { child, forget } = startChild(
    () => {
      running = run(file, args, { ...options, encoding, killSignal: 'SIGKILL', windowsHide: true });
      return running.child;
    },
    (started) => started.kill('SIGKILL'),
  );
  const stop = (): void => {
    child.kill('SIGKILL');
    // The program's children may keep its streams open.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  signal?.addEventListener('abort', stop);
  // A program may end before it has read all its input, which is not an error.
  child.stdin?.on('error', () => undefined).end(input);
  try {
    return String((await running)?.stdout);
  } finally {
    signal?.removeEventListener('abort', stop);
    forget();
  }
}
