import { access } from 'node:fs/promises';
import { DragomanError } from '../../base/errors.ts';
import type { StoredMemory } from '../../memory/stored-memory.ts';
import type { Terminal } from '../terminal.ts';
import { memoryPathOf, type MemoryFlags } from './location.ts';

/**
 * The file of the memory, for commands that are about it.
 *
 * @throws DragomanError `usage` when there is to be none.
 */
export async function requireMemoryPath(flags: MemoryFlags, terminal: Terminal): Promise<string> {
  const path = await memoryPathOf(flags, terminal);
  if (path !== undefined) return path;
  throw new DragomanError('usage', 'there is no translation memory here', {
    hint: 'Name its file with --memory.',
  });
}

/** Runs `work` with the memory and closes it, whatever happens. It is made where it is missing. */
export async function withMemory<T>(
  flags: MemoryFlags,
  terminal: Terminal,
  work: (memory: StoredMemory) => Promise<T>,
): Promise<T> {
  return openFor(await requireMemoryPath(flags, terminal), work);
}

/**
 * The same for a memory that is there; undefined when there is none yet: none is made in order to be looked at.
 *
 * @throws DragomanError `not_found` when a file that was named is missing.
 */
export async function withKnownMemory<T>(
  flags: MemoryFlags,
  terminal: Terminal,
  work: (memory: StoredMemory) => Promise<T>,
): Promise<T | undefined> {
  const path = await requireMemoryPath(flags, terminal);
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) return openFor(path, work);
  if (typeof flags.memory !== 'string') return undefined;
  throw new DragomanError('not_found', `there is no translation memory ${path}`);
}

async function openFor<T>(path: string, work: (memory: StoredMemory) => Promise<T>): Promise<T> {
  const { openTranslationMemory } = await import('../../memory/translation-memory.ts');
  const memory = await openTranslationMemory(path);
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}
