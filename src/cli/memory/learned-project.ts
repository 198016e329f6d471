import { access, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { StoredMemory } from '../../memory/stored-memory.ts';
import { oneLine, type Terminal } from '../terminal.ts';

/** The path after `--project`; true where there is none. */
export interface ProjectFlag {
  readonly project?: string | boolean;
}

export function addProjectOption(command: Command, description: string): void {
  command.option('--project [path]', `${description} the project at this path; default: the one here`);
}

/** What to say where {@link learnedProject} finds none. */
export function nothingLearned(flag: string | boolean): string {
  const where = typeof flag === 'string' ? oneLine(flag) : 'this project';
  return `nothing was learned from ${where}: dragoman memory stats lists the projects`;
}

/**
 * The project that is named, by its root: of those that a memory has learned from the nearest one at or above the path,
 * in the same git work tree. It need not exist any more. Undefined where nothing was learned.
 */
export async function learnedProject(
  flag: string | boolean,
  memory: StoredMemory,
  { cwd }: Terminal,
): Promise<string | undefined> {
  const named = resolve(cwd, typeof flag === 'string' ? flag : '.');
  const { projects } = await memory.stats();
  const roots = new Set(projects.map(({ root }) => root));
  for (let path = await realpath(named).catch(() => named); ; path = dirname(path)) {
    if (roots.has(path)) return path;
    if (path === dirname(path) || (await exists(join(path, '.git')))) return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
