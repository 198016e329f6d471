import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor time of a process and its children so far, user and system, in seconds. */
export function cpuSecondsOf(pid: number): number {
  try {
    // The fields follow the name, which may contain spaces. Fields 14 to 17 are the process's own time, and that of
    // its ended children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 15) ?? [];
    const own = fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
    return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), own);
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** The ids of a process and of all processes that it started, directly or indirectly. */
export function processAndChildren(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(processAndChildren)];
}

/**
 * Memory of a process and its children, in bytes; shared pages count once. 0 for a process that has ended.
 */
export function memoryOf(pid: number): number {
  try {
    const children = childrenOf(pid);
    const own = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return children.reduce((sum, child) => sum + memoryOf(child), Number(own) * 1024);
  } catch {
    return 0;
  }
}
