import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { escapeControls } from '../../base/escape-controls.ts';

export { escapeControls };

/** The parts of the process that the program uses. Tests run commands in-process with their own streams. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number | undefined };
  readonly stderr: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number | undefined;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborts when the user or the system asks the program to stop. */
  readonly signal: AbortSignal;
  /**
   * Called before the first paid request or saved answer. From then on, signals abort the work instead of ending the
   * process.
   */
  heedSignals?(): void;
  /** Called before work that may block the process for long, such as queries of a database that others prepared. */
  expectLongSteps?(): void;
  /** The clock of the progress display; default: the system's. */
  readonly clock?: Clock | undefined;
  /** In a GitHub workflow, Azure Pipelines or TeamCity: the runner, which reads the output. */
  readonly runner?: WorkflowRunner | undefined;
}

/** The program that runs a workflow and executes commands in the output. */
interface WorkflowRunner {
  /** Whether the runner shows GitHub annotations. */
  readonly annotates: boolean;
  /** Whether the runner reads standard output, which may also be a file. */
  readonly readsResult: boolean;
  /** Writes a command: a line without its end. External text in it must be escaped. */
  command(line: string, where?: 'stdout' | 'stderr'): void;
}

/** Whether a person reads and types here. */
export function isInteractive({ stdin, stderr, env }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
}

/** External text as part of a line: without line breaks, tabs or terminal control characters. */
export function oneLine(text: string): string {
  return escapeControls(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/**
 * The same stream with its own `write`. Code that replaces `write`, as spinners do, then replaces only this copy;
 * otherwise `write` would call itself.
 */
export function withWrite<Stream extends NodeJS.WritableStream>(
  stream: Stream,
  write: NodeJS.WritableStream['write'],
): Stream {
  let current: unknown = write;
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return current;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set(target, name, value) {
      if (name !== 'write') return Reflect.set(target, name, value, target);
      current = value;
      return true;
    },
  });
}
