import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryDirectory } from './harness.ts';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

/**
 * Returns what a script prints in a real shell, with an empty HOME. `$D` is the built program, `$F` its flags
 * for a language pair and an engine.
 */
export function shell(script: string, cwd: string): string {
  return execFileSync('/bin/sh', ['-c', script], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: temporaryDirectory(),
      D: `${process.execPath} ${BIN}`,
      F: '-s en -t fr --engine pseudo',
      TERM: 'xterm',
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
