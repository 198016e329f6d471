import { closing } from '../../base/closing.ts';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import type { StoredMemory } from '../../memory/stored-memory.ts';
import { type MemoryFlags, memoryPathOf } from '../options/memory.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import { pluralize } from '../terminal/table.ts';

/**
 * The path of the memory, for commands about the memory.
 *
 * @throws DragomanError `usage` if it is turned off
 */
export async function requireMemoryPath(flags: MemoryFlags, terminal: Terminal): Promise<string> {
  const path = await memoryPathOf(flags, terminal);
  if (path !== undefined) return path;
  throw new DragomanError('usage', 'there is no translation memory here', {
    hint: 'Name its file with --memory.',
  });
}

/** Runs `work` with the memory, then closes it, even after an error. A missing memory is created. */
export async function withMemory<T>(
  flags: MemoryFlags,
  terminal: Terminal,
  work: (memory: StoredMemory) => Promise<T>,
): Promise<T> {
  return openFor(await requireMemoryPath(flags, terminal), work);
}

/**
 * Like {@link withMemory}, for an existing memory; undefined if it does not exist, because reading never creates one.
 *
 * @throws DragomanError `not_found` if a named file is missing
 */
export async function withKnownMemory<T>(
  flags: MemoryFlags,
  terminal: Terminal,
  work: (memory: StoredMemory) => Promise<T>,
): Promise<T | undefined> {
  const path = await requireMemoryPath(flags, terminal);
  if (typeAt(path) !== undefined) return openFor(path, work);
  if (typeof flags.memory !== 'string') return undefined;
  throw new DragomanError('not_found', `there is no translation memory ${path}`);
}

async function openFor<T>(path: string, work: (memory: StoredMemory) => Promise<T>): Promise<T> {
  const { openTranslationMemory } = await import('../../memory/translation-memory.ts');
  return closing(await openTranslationMemory(path), work);
}

export function countOf(entries: number): string {
  return pluralize(entries, 'entry', 'entries');
}

/** The path after `--project`; true without a path. */
export interface ProjectFlag {
  readonly project?: string | boolean;
}

export function addProjectOption(command: Command, description: string): void {
  command.option('--project [path]', `${description} the project at this path; default: the one here`);
}

/** The message if {@link learnedProject} finds no project. */
export function noLearnedProject(flag: string | boolean): string {
  const where = typeof flag === 'string' ? oneLine(flag) : 'this project';
  return `nothing was learned from ${where}: dragoman memory stats lists the projects`;
}

/**
 * The root of the named project: of those that a memory has learned from, the nearest at or above the path, in the same
 * git work tree. The project need not exist any more. Undefined if nothing was learned.
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
    if (path === dirname(path) || typeAt(join(path, '.git')) !== undefined) return undefined;
  }
}
