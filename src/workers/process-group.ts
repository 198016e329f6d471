import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { startChild } from '../base/bound-child.ts';
import { withoutKeys } from '../base/child-environment.ts';
import { printable } from './printable.ts';

export interface ChildProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Passes `file` to the system's shell as a command line. */
  readonly shell?: boolean;
  /** Default: the environment of this process, without API keys. */
  readonly env?: NodeJS.ProcessEnv;
}

/** How a process ended, after its last output. */
export interface ProcessEnding {
  /** Exit code; undefined if a signal ended it or it never started. */
  readonly exitCode: number | undefined;
  /** One clause for a message, with the end of the process's stderr. */
  readonly reason: string;
}

/** How many characters of stderr are kept: enough for the last lines of a stack trace. */
const STDERR_TAIL = 2000;
const REASON_TAIL = 400;
/** Time from the end of the leader or its output until its children are killed. */
const LINGER_MS = 500;
const TERM_MS = 1000;
const ORPHANS_MS = 1000;
const POLL_MS = 5;

/**
 * A child process with its descendants. It leads a process group, so that the whole tree can be ended and the
 * terminal's Ctrl-C does not reach it. It cannot outlive this program.
 */
export class ProcessGroup {
  readonly ended: Promise<ProcessEnding>;
  // Without free file descriptors a child has no streams, although its type declares them.
  readonly #child: ChildProcess;
  #stderr = '';
  #over = false;
  #unsent = '';
  #timer: NodeJS.Timeout | undefined;
  readonly #forget: () => void;

  /** @param onError receives the program's stderr, whose end is kept for messages */
  constructor(program: ChildProgram, onOutput: (chunk: Buffer) => void, onError?: (text: string) => void) {
    const bound = startChild(
      () =>
        spawn(program.file, [...program.args], {
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: process.platform !== 'win32',
          shell: program.shell ?? false,
          env: program.env ?? withoutKeys(process.env),
          windowsHide: true,
        }),
      () => void this.signal('SIGKILL'),
      { isGroup: true },
    );
    this.#child = bound.child;
    this.#forget = bound.forget;
    this.#child.stdout?.on('data', onOutput);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
      onError?.(text);
    });
    // Writing to an ended program fails here; `ended` reports it.
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stdout?.on('error', () => undefined);
    this.#child.stderr?.on('error', () => undefined);
    this.ended = this.#watch();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Appends the end of the program's stderr to a clause, made safe to print. */
  withStderr(clause: string): string {
    const output = printable(this.#stderr.slice(-REASON_TAIL), REASON_TAIL);
    return output === '' ? clause : `${clause} (stderr: ${output})`;
  }

  /** Combines the data written in one turn of the event loop. */
  write(data: string): void {
    if (this.#unsent === '') process.nextTick(() => this.#flush());
    this.#unsent += data;
  }

  #flush(): void {
    const data = this.#unsent;
    this.#unsent = '';
    if (!this.#over && this.#child.stdin?.writable) this.#child.stdin.write(data);
  }

  /** Ends the tree with SIGTERM and, a second later, SIGKILL. Resolves when it has ended. */
  async terminate(): Promise<void> {
    if (!this.#over) {
      this.signal('SIGTERM');
      this.#killIn(TERM_MS);
    }
    await this.ended;
  }

  /** Closes the program's input and lets it finish for at most `graceMs`; then calls {@link terminate}. */
  async finish(graceMs: number): Promise<void> {
    this.#flush();
    this.#child.stdin?.end();
    const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([this.ended, grace]);
    await this.terminate();
  }

  /** @returns whether a process received the signal, as far as the system reports */
  signal(signal: 'SIGTERM' | 'SIGKILL'): boolean {
    const { pid } = this.#child;
    if (pid === undefined) return false;
    if (process.platform === 'win32') {
      // Started by its path, because a bare name is first searched in the current directory, which may be a checkout.
      const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
      spawn(taskkill, ['/pid', String(pid), '/T', '/F']).on('error', () => undefined);
      return false;
    }
    try {
      return process.kill(-pid, signal);
    } catch {
      // The group has already ended.
      return false;
    }
  }

  #killIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.signal('SIGKILL');
      // A process that left the group may still hold the pipes, which must not block this program.
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
    }, ms);
  }

  /** Ends processes that the leader left behind. SIGKILL takes a moment to act. */
  async #killOrphans(): Promise<void> {
    for (let waited = 0; waited < ORPHANS_MS && this.signal('SIGKILL'); waited += POLL_MS) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    this.#forget();
  }

  #watch(): Promise<ProcessEnding> {
    return new Promise((resolve) => {
      let failure: string | undefined;
      const end = (code: number | null, signal: string | null): void => {
        if (this.#over) return;
        this.#over = true;
        clearTimeout(this.#timer);
        const how = failure ?? (signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
        const ending = { exitCode: code ?? undefined, reason: this.withStderr(how) };
        void this.#killOrphans().then(() => resolve(ending));
      };
      this.#child.on('error', (error) => {
        failure = `could not be started (${error.message})`;
        if (this.#child.pid === undefined) end(null, null);
      });
      // A program that closed its output cannot answer. In a pipeline whose middle has ended, the first command
      // notices this only when it reads.
      this.#child.stdout?.on('end', () => this.#child.stdin?.end());
      this.#child.stdout?.on('end', () => this.#killIn(LINGER_MS));
      this.#child.on('exit', () => this.#killIn(LINGER_MS));
      this.#child.on('close', end);
    });
  }
}
