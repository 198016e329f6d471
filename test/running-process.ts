import { readFileSync } from 'node:fs';

/** A Linux process that has ended may still wait for its parent. */
export function isRunning(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
