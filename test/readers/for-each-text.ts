import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ProgramRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const EACH =
  'for file in "$0"/*.in; do "$@" "$file" >"$file.out" 2>"$file.err"; echo $? >"$file.status"; done';

/**
 * Runs a program once for each text, which it gets as a file after its arguments. One shell starts all of them:
 * starting a process from a large one, such as a test worker, costs five times as much.
 */
export function runForEachText(command: readonly string[], texts: readonly string[]): readonly ProgramRun[] {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-texts-'));
  try {
    const paths = texts.map((_, i) => join(directory, `${i}.in`));
    for (const [i, path] of paths.entries()) writeFileSync(path, texts[i] ?? '');
    const { status, stderr } = spawnSync('sh', ['-c', EACH, directory, ...command], { timeout: 110_000 });
    if (status !== 0) throw new Error(`${command.join(' ')}: ${String(stderr)}`);
    const read = (path: string): string => readFileSync(path, 'utf8');
    return paths.map((path) => ({
      status: Number(read(`${path}.status`)),
      stdout: read(`${path}.out`),
      stderr: read(`${path}.err`),
    }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
