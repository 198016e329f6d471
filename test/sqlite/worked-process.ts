import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'rolldown';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { builtWorkers } from '../built-workers.ts';

/** A process that works on a database until it is killed without warning. */
export interface WorkedProcess {
  /** Its output, without `ready`. */
  readonly lines: readonly string[];
  begin(line?: string): void;
  /** Resolves when it has printed this many lines; it may have done more by then. */
  said(lines: number): Promise<void>;
  kill(): void;
  /** Resolves when all its output has arrived. */
  readonly ended: Promise<void>;
}

/** Starts a process with these arguments. Resolves when it is ready; it ends with the test at the latest. */
export type StartProcess = (...args: readonly string[]) => Promise<WorkedProcess>;

/**
 * Bundles a script once before the tests of a file, because it is started many times.
 * @param entry its path
 */
export function processesOf(entry: string): StartProcess {
  const scripts = mkdtempSync(join(tmpdir(), 'dragoman-process-'));
  const script = join(scripts, basename(entry).replace(/\.ts$/, '.mjs'));
  afterAll(() => rmSync(scripts, { recursive: true }));
  beforeAll(async () => {
    // libsql finds its binary next to itself.
    const libsql = createRequire(import.meta.url).resolve('libsql');
    await build({
      input: entry,
      platform: 'node',
      resolve: { alias: { libsql } },
      external: [libsql],
      logLevel: 'warn',
      plugins: [{ name: builtWorkers.name, transform: builtWorkers.transform }],
      output: { file: script, codeSplitting: false },
    });
  });
  return (...args) => start(script, args);
}

async function start(script: string, args: readonly string[]): Promise<WorkedProcess> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  const ended = new Promise<void>((resolve) => {
    output.once('close', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the process ended: ${lines.join(', ')}`)));
    output.on('line', (line) => {
      if (line === 'ready') resolve();
      else lines.push(line);
    });
  });
  return {
    lines,
    begin: (line = 'go') => child.stdin.write(`${line}\n`),
    said: async (count) => {
      while (lines.length < count) await once(output, 'line');
    },
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}
