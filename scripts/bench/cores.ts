import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { processAndChildren } from './process-figures.ts';

/** Undefined if this process may use only one core, or if `taskset` is not installed. */
export function findCores(): { readonly servers: string; readonly others: string } | undefined {
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined;
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [servers, others] = list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
  });
  return servers === undefined || others === undefined ? undefined : { servers, others };
}

/** Moves a running process, its threads and its children to one core. */
export function pinProcess(core: string, pid: number): void {
  for (const one of processAndChildren(pid))
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', core, String(one)], { stdio: 'ignore' });
}
