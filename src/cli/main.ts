import { setFlagsFromString } from 'node:v8';
import { reuseCompiledCode } from '../base/compiled-code.ts';
import { VERSION } from '../base/version.ts';
import { COMMANDS } from './registry.ts';
import { StopSignals } from './terminal/stop-signals.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Runs the program in this process. Only the launcher in bin/ calls it. */
export async function main(argv: readonly string[]): Promise<void> {
  // Scripts often ask for the version, so it is printed without loading the command-line parser.
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  const controller = new AbortController();
  // A server reports when it is ready. From then on, it shuts down gracefully.
  const signals = new StopSignals(controller);
  const word = argv.find((one) => !one.startsWith('-'));
  const command = COMMANDS.find(({ name }) => name === word)?.name ?? '';
  reuseCompiledCode(command, process.env, process.cwd());
  if (command === 'serve') await signals.watch(true);
  else signals.watchWhenNeeded();
  passOverClosedPipe(argv.some((word) => /^--watch(?:=|$)/.test(word)));
  let isReading = false;
  const terminal: Terminal = {
    // Node opens it on first use, which most commands do not need.
    get stdin() {
      isReading = true;
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: controller.signal,
    heedSignals: () => signals.heed(),
    expectLongSteps: () => signals.expectLongSteps(),
  };
  const { runProgram } = await import('./program.ts');
  // If any V8 flag is set, Node compiles its own modules again instead of loading their compiled code.
  const setFlags = (): void => {
    if (LEAVES_GARBAGE.has(command)) limitGarbage();
    else if (command === 'sync') compileLate();
  };
  process.exitCode = await runProgram(argv, terminal, setFlags);
  if (isReading) process.stdin.unref?.();
}

/** Commands that hold one possibly large file, or read all files of a project and keep little of each. */
const LEAVES_GARBAGE: ReadonlySet<string> = new Set([
  'i18n',
  'html',
  'markdown',
  'subtitles',
  'status',
  'lint',
]);

/**
 * Makes V8 collect garbage whenever the heap has grown by 50 %. By default V8 waits until a heap of 100 MB has grown to
 * 300 MB: a file of 100,000 keys then needs at least half as much memory again. Smaller steps are not worth it: with 15
 * % a process needs about a tenth less memory than with 50 %, and up to a third more CPU.
 */
function limitGarbage(): void {
  setFlagsFromString('--heap-growing-percent=50');
}

/** The flag that sets the number of steps before optimization, by V8's major version (Node 20, 22 and 24). */
const LATE_COMPILATION: Readonly<Record<string, string>> = {
  11: '--interrupt-budget=2400000',
  12: '--invocation-count-for-turbofan=54000',
  13: '--invocation-count-for-turbofan=54000',
};

/**
 * Makes V8 optimize functions after 18 times as many steps as by default. A run with a few changed keys ends before
 * optimization pays off: it needs a sixth less CPU this way, and a first run slightly less.
 */
function compileLate(): void {
  const [major = ''] = process.versions.v8.split('.', 1);
  const flag = LATE_COMPILATION[major];
  // V8 prints an error for a flag that it does not know.
  if (flag !== undefined) setFlagsFromString(flag);
}

/**
 * `dragoman … | head` is not an error: even if the pipe closes before all output is written, the command finishes its
 * work and returns the usual exit code. Endless commands end.
 */
function passOverClosedPipe(isEndless: boolean): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(1);
    if (isEndless) process.exit(0);
    // Stops reading, because standard input may never end.
    process.stdin.destroy();
  });
}
