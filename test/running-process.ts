import { readFileSync } from 'node:fs';

/** A process of Linux that has ended may still wait for whoever started it. */
export function isRunning(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
