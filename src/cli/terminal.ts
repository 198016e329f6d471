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
}

/** Text from outside as a part of a line: no line breaks, no tabs, nothing that a terminal obeys. */
export function oneLine(text: string): string {
  return escapeControls(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
