import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Without procfs, remaining processes cannot be counted. */
export const canSeeProcesses = existsSync('/proc/self/environ');

/**
 * Marks all processes that start from now on, through their environment, no matter how deeply nested or detached.
 * @returns a function that counts the living marked processes
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
        // The process has ended, or belongs to another user.
      }
    }
    return count;
  };
}
