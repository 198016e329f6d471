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

/** The memory that Linux gives out as a directory. In a container it is often small, and runs no programs. */
const MEMORY = '/dev/shm';
/** Bytes; the files of all tests at one time are a tenth of it. */
const ENOUGH = 2 ** 31;

/** Its end says whose it is: the namespace in which the number of the process counts, that number, and its start. */
const NAME = /^dragoman-tests-(\d+)-(\d+)-(\d+)-\w{6}$/;

/** Containers may share the memory, and each has processes of its own. */
const namespaceOf = (): string => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');

/** Removes the directories of runs whose process is gone: they were killed. */
export function removeAbandoned(memory: string): void {
  const own = namespaceOf();
  for (const name of readdirSync(memory)) {
    const [, namespace, pid, started] = NAME.exec(name) ?? [];
    if (namespace !== own || isAlive(Number(pid), started)) continue;
    try {
      rmSync(join(memory, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Another user's, or another run is removing it.
    }
  }
}

/** A directory of this process, which {@link removeAbandoned} leaves alone as long as it runs. */
export function makeOwnDirectory(memory: string): string {
  const owner = `${namespaceOf()}-${process.pid}-${startOfProcess(process.pid)}`;
  return mkdtempSync(join(memory, `dragoman-tests-${owner}-`));
}

/**
 * A directory in memory, for the temporary files of all tests: making and removing them is a tenth of the work, and nothing
 * waits for a disk. Undefined where there is none that is large enough and lets scripts run.
 */
export function makeMemoryDirectory(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  removeAbandoned(MEMORY);
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ENOUGH) return undefined;
  const directory = makeOwnDirectory(MEMORY);
  // The server of PostgreSQL has a user of its own where the tests run as root.
  chmodSync(directory, 0o755);
  const script = join(directory, 'script');
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 });
  const runs = spawnSync(script).status === 0;
  rmSync(runs ? script : directory, { recursive: true });
  return runs ? directory : undefined;
}
