import type { Readable, Writable } from 'node:stream';

import { escapeControls } from '../base/escape-controls.ts';

export { escapeControls };

/** What the program touches of its process. Tests run commands in-process with streams of their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborts when the user or the system asks the program to stop. */
  readonly signal: AbortSignal;
  /** In a workflow of GitHub: the runner, which reads the output. */
  readonly runner?: Runner | undefined;
}

/** What obeys commands in the output. */
export interface Runner {
  /** Whether it reads standard output: not where that goes to a file. */
  readonly readsResult: boolean;
  /** Gives it a command, a line without its end. What comes from outside has to be escaped in it. */
  command(line: string, where?: 'stdout' | 'stderr'): void;
}

/** Text from outside as a part of a line: no line breaks, no tabs, nothing that a terminal obeys. */
export function oneLine(text: string): string {
  return escapeControls(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
