import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { MemoryOptions } from '../../src/memory/translation-memory.ts';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import type { NewEntry, StoredEntry, StoredMemory } from '../../src/memory/stored-memory.ts';
import type { MemoryEntry, MemoryMessage } from '../../src/pipeline/memory.ts';

export const EN_ES = { source: 'en', target: 'es' };
export const EN_DE = { source: 'en', target: 'de' };

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-memory-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** An open memory, closed after the test. */
export async function openMemory(
  path = join(temporaryDirectory(), 'memory.db'),
  options?: MemoryOptions,
): Promise<StoredMemory> {
  const memory = await openTranslationMemory(path, options);
  onTestFinished(() => memory.close());
  return memory;
}

export function messageOf(text: string, more: Partial<MemoryMessage> = {}): MemoryMessage {
  return { segments: [text], placeholders: [], category: '', context: '', ...more };
}

/** The entry is written by an engine unless `more` has another origin. */
export function entryOf(text: string, translation: string, more: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    ...messageOf(text),
    translations: [translation],
    origin: 'machine',
    ...((more.origin ?? 'machine') === 'machine' && { engine: 'apertium' }),
    ...more,
  };
}

export function inPair(entry: MemoryEntry, pair = EN_ES): NewEntry {
  return { ...entry, pair };
}

/** An entry that was stored at a given time. */
export type OldEntry = NewEntry & Pick<StoredEntry, 'changed'>;

/** Writes a memory with entries for all projects, each with its own storage time. */
export async function writeMemory(path: string, entries: readonly OldEntry[]): Promise<void> {
  let now = 0;
  const memory = await openTranslationMemory(path, { now: () => now });
  const times = new Set(entries.map(({ changed }) => changed.getTime()));
  for (const time of [...times].sort((a, b) => a - b)) {
    now = time;
    const those = entries.filter(({ changed }) => changed.getTime() === time);
    for (const pair of new Set(those.map((entry) => entry.pair)))
      await memory.store(
        those.filter((entry) => entry.pair === pair),
        pair,
      );
  }
  await memory.close();
}

export async function entriesIn(memory: StoredMemory): Promise<readonly StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of memory.entries()) entries.push(entry);
  return entries;
}
