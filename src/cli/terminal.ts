import type { Readable, Writable } from 'node:stream';

/** What the program touches of its process. Tests run commands in-process with streams of their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborts when the user or the system asks the program to stop. */
  readonly signal: AbortSignal;
}

/**
 * Text from outside (files, engines, servers) as it may be shown on a terminal: control characters, which could move
 * the cursor or rewrite what was printed, and direction overrides are written as escapes.
 */
export function escapeControls(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
