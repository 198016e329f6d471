import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Without procfs nobody can tell which processes are left. */
export const canSeeProcesses = existsSync('/proc/self/environ');

/**
 * Marks what this process starts from now on by its environment, however deep and detached it is.
 *
 * @returns a function that counts the marked processes that live
 */
export function markProcesses(): () => number {
  // A name that every child process gets.
  const mark = `LC_DRAGOMAN_TEST_MARK_${randomUUID().replaceAll('-', '')}`;
  process.env[mark] = '1';
  return () => {
    let count = 0;
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
      try {
        if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)) count++;
      } catch {
        // It ended meanwhile, or is somebody else's.
      }
    }
    return count;
  };
}
