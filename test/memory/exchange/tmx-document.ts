import type { MemoryImportOptions, Skip } from '../../../src/memory/exchange/exchange.ts';
import { readTmx } from '../../../src/memory/exchange/tmx-unit.ts';
import type { NewEntry } from '../../../src/memory/stored-memory.ts';
import { collect } from './entries.ts';

export interface Read {
  readonly entries: readonly NewEntry[];
  readonly skips: readonly Skip[];
}

/** Reads a document, or its chunks. */
export async function read(
  document: string | Uint8Array | readonly Uint8Array[],
  options: Partial<MemoryImportOptions> = {},
): Promise<Read> {
  const skips: Skip[] = [];
  const bytes = typeof document === 'string' ? Buffer.from(document) : document;
  const chunks = bytes instanceof Uint8Array ? [bytes] : bytes;
  const onSkip = (skip: Skip): void => void skips.push(skip);
  return { entries: await collect(readTmx(chunks, { origin: 'human', onSkip, ...options })), skips };
}

/** A document with these units. */
export function tmx(units: string, header = 'srclang="en"', version = '1.4'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="${version}"><header ${header}/><body>${units}</body></tmx>\n`;
}

export function unit(source: string, target: string): string {
  return `<tu><tuv xml:lang="en"><seg>${source}</seg></tuv><tuv xml:lang="es"><seg>${target}</seg></tuv></tu>`;
}
