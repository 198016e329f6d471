import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAlive, startOfProcess } from '../src/base/process-life.ts';

/** The memory that Linux offers as a directory. In a container it is often small, or mounted noexec. */
const MEMORY = '/dev/shm';
/** In bytes; all test files together use a tenth. */
const ENOUGH = 2 ** 31;

/** Its suffix identifies the owner: the process namespace, the process id, and its start time. */
const NAME = /^dragoman-tests-(\d+)-(\d+)-(\d+)-\w{6}$/;

/** Containers may share the memory, and each has its own processes. */
const namespaceOf = (): string => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');

/** Removes the directories of runs whose process is gone because it was killed. */
export function removeAbandoned(memory: string): void {
  const own = namespaceOf();
  for (const name of readdirSync(memory)) {
    const [, namespace, pid, started] = NAME.exec(name) ?? [];
    if (namespace !== own || isAlive(Number(pid), started)) continue;
    try {
      rmSync(join(memory, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // It belongs to another user, or another run is removing it.
    }
  }
}

/** A directory of this process, which {@link removeAbandoned} keeps while it runs. */
export function makeOwnDirectory(memory: string): string {
  const owner = `${namespaceOf()}-${process.pid}-${startOfProcess(process.pid)}`;
  return mkdtempSync(join(memory, `dragoman-tests-${owner}-`));
}

/**
 * A directory in memory for the temporary files of all tests: creating and removing them takes a tenth of the time, and
 * nothing waits for a disk. Undefined if none is large enough and executable.
 */
export function makeMemoryDirectory(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  removeAbandoned(MEMORY);
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ENOUGH) return undefined;
  const directory = makeOwnDirectory(MEMORY);
  // The PostgreSQL server has its own user if the tests run as root.
  chmodSync(directory, 0o755);
  const script = join(directory, 'script');
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 });
  const runs = spawnSync(script).status === 0;
  rmSync(runs ? script : directory, { recursive: true });
  return runs ? directory : undefined;
}
