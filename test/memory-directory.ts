import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The memory that Linux gives out as a directory. In a container it is often small, and runs no programs. */
const MEMORY = '/dev/shm';
/** Bytes; the files of all tests at one time are a tenth of it. */
const ENOUGH = 2 ** 31;

/**
 * A directory in memory, for the temporary files of all tests: making and removing them is a tenth of the work, and nothing
 * waits for a disk. Undefined where there is none that is large enough and lets scripts run.
 */
export function makeMemoryDirectory(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ENOUGH) return undefined;
  const directory = mkdtempSync(join(MEMORY, 'dragoman-tests-'));
  // The server of PostgreSQL has a user of its own where the tests run as root.
  chmodSync(directory, 0o755);
  const script = join(directory, 'script');
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 });
  const runs = spawnSync(script).status === 0;
  rmSync(runs ? script : directory, { recursive: true });
  return runs ? directory : undefined;
}
