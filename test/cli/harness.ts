import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { runProgram } from '../../src/cli/program.ts';

export interface Result {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Invocation {
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array | Readable;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly tty?: boolean;
  /** Input typed on the terminal. */
  readonly typed?: string;
  /** The width of the terminal. */
  readonly columns?: number;
  readonly clock?: Clock;
  /** Receives the output while the command runs. */
  readonly onStderr?: (text: string) => void;
}

/** Runs a command line in this process as the launcher does, with its own streams and an empty HOME. */
export async function dragoman(argv: readonly string[], invocation: Invocation = {}): Promise<Result> {
  const {
    cwd = temporaryDirectory(),
    stdin,
    env = {},
    signal = new AbortController().signal,
    tty,
    typed,
    columns,
    clock,
    onStderr,
  } = invocation;
  const stdout = new Sink(tty, columns);
  const stderr = new Sink(tty, columns, onStderr);
  const given = typed ?? stdin;
  const input =
    given instanceof Readable ? given : Readable.from(given === undefined ? [] : [Buffer.from(given)]);
  const exitCode = await runProgram(argv, {
    stdin: tty === true && stdin === undefined ? Object.assign(input, { isTTY: true }) : input,
    stdout,
    stderr,
    env: {
      XDG_CACHE_HOME: temporaryDirectory(),
      XDG_CONFIG_HOME: temporaryDirectory(),
      XDG_STATE_HOME: stateHomeOfTest(),
      ...env,
    },
    cwd,
    signal,
    clock,
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

let stateHome: string | undefined;

/** The same directory within a test, so that a run can continue from an earlier one. */
function stateHomeOfTest(): string {
  if (stateHome === undefined) {
    stateHome = temporaryDirectory();
    onTestFinished(() => {
      stateHome = undefined;
    });
  }
  return stateHome;
}

class Sink extends PassThrough {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number | undefined;

  constructor(tty = false, columns?: number, onText?: (text: string) => void) {
    super();
    this.isTTY = tty;
    this.columns = columns;
    this.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
      onText?.(chunk.toString());
    });
  }
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A directory with these files. */
export function projectWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

/** The environment of a user with this configuration. */
export function homeWith(configuration: string): Readonly<Record<string, string>> {
  return { XDG_CONFIG_HOME: projectWith({ 'dragoman/config.yaml': configuration }) };
}
