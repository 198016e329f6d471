import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { SHARED_DIRECTORY, stopShared } from './postgres/cluster.ts';
import { makeMemoryDirectory } from './memory-directory.ts';
import { MISSING } from './postgres/requirements.ts';

/** Tests of the program as a process run what is in dist/: it has to be today's. */
export default function setUp(project: TestProject): () => Promise<void> {
  for (const missing of MISSING) process.stderr.write(`${missing}\n`);
  build();
  project.onTestsRerun(build);
  const memory = process.env['TMPDIR'] === undefined ? makeMemoryDirectory() : undefined;
  if (memory !== undefined) process.env['TMPDIR'] = memory;
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-postgres-'));
  // The server of PostgreSQL has a user of its own where the tests run as root.
  chmodSync(directory, 0o755);
  process.env[SHARED_DIRECTORY] = directory;
  return async () => {
    await stopShared(directory);
    rmSync(directory, { recursive: true, force: true });
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  };
}

function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
