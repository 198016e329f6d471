import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dragoman, type Invocation, projectWith } from './harness.ts';

export const FILES = { 'locales/en.json': '{"open": "Open"}', 'locales/es.json': '{"open": "Abrir"}' };

/** A program that records its arguments and its directories, instead of opening a browser. */
export function writeOpener(directory: string, status = 0): string {
  mkdirSync(directory, { recursive: true });
  const script = `#!/bin/sh\nprintf '%s\\n' "$#" "$@" "$PATH" > '${directory}/seen.new'\nmv '${directory}/seen.new' '${directory}/seen'\nexit ${status}\n`;
  writeFileSync(join(directory, 'xdg-open'), script);
  chmodSync(join(directory, 'xdg-open'), 0o755);
  return directory;
}

export const seenIn = (directory: string): readonly string[] =>
  existsSync(join(directory, 'seen')) ? readFileSync(join(directory, 'seen'), 'utf8').trim().split('\n') : [];

export interface Serving {
  /** The address that was printed. */
  readonly address: URL;
  readonly stderr: () => string;
}

/** Runs `dragoman review` on a terminal during `work`. */
export async function serving(
  { cwd = projectWith(FILES), ...invocation }: Invocation,
  work: (serving: Serving) => Promise<void>,
  ...flags: readonly string[]
): Promise<void> {
  const stop = new AbortController();
  let seen = '';
  let running = Promise.resolve({ exitCode: -1 });
  const address = await new Promise<URL>((resolve) => {
    running = dragoman(['review', '-s', 'en', '-t', 'es', ...flags], {
      tty: true,
      cwd,
      ...invocation,
      env: { NO_COLOR: '1', ...invocation.env },
      signal: stop.signal,
      onStderr: (text) => {
        seen += text;
        const [, url] = /(http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+)\s/.exec(seen) ?? [];
        if (url !== undefined) resolve(new URL(url));
      },
    });
  });
  try {
    await work({ address, stderr: () => seen });
  } finally {
    stop.abort();
    expect(await running).toMatchObject({ exitCode: 0 });
  }
}
