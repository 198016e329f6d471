import { readFileSync } from 'node:fs';

/** When a process was started, as the system counts: another may get the same number. Empty where the system does not say. */
export function startOfProcess(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name and may hold anything, also spaces and brackets.
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/**
 * Whether a process of this machine still runs.
 *
 * @param started see {@link startOfProcess}; empty: any process with the number is taken for it
 */
export function isAlive(pid: number, started = ''): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user is alive, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return started === '' || started === startOfProcess(pid);
}
