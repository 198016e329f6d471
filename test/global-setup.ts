import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { SHARED_DIRECTORY, stopShared } from './postgres/cluster.ts';
import { makeMemoryDirectory } from './memory-directory.ts';
import { MISSING } from './postgres/requirements.ts';
import { buildProgram } from './program-build.ts';

export default function setUp(project: TestProject): () => Promise<void> {
  for (const missing of MISSING) process.stderr.write(`${missing}\n`);
  buildProgram();
  project.onTestsRerun(buildProgram);
  const memory = process.env['TMPDIR'] === undefined ? makeMemoryDirectory() : undefined;
  if (memory !== undefined) process.env['TMPDIR'] = memory;
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-postgres-'));
  // The PostgreSQL server has its own user if the tests run as root.
  chmodSync(directory, 0o755);
  process.env[SHARED_DIRECTORY] = directory;
  return async () => {
    await stopShared(directory);
    rmSync(directory, { recursive: true, force: true });
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  };
}
