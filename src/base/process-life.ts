import { readFileSync } from 'node:fs';

/** The start time of a process according to the system, because ids are reused. Empty if unavailable. */
export function startOfProcess(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name, which may contain spaces and brackets.
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/**
 * Whether a process of this machine is running.
 *
 * @param started see {@link startOfProcess}; if empty, only the id is compared
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
