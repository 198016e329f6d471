import { randomBytes } from 'node:crypto';

/** An ending for a file that only this process works on, and which says whose it is. */
export function ownEnding(): string {
  return `.${process.pid}-${randomBytes(6).toString('hex')}`;
}

/** Whether what has this ending was left by a process that is no more. */
export function isAbandoned(name: string): boolean {
  const pid = /\.(\d{1,10})-[0-9a-f]{12}$/.exec(name)?.[1];
  return pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
