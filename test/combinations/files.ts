import type { Random } from '../../src/plugins/contract/random.ts';
import { coverPairs } from './cover.ts';
import type { FileKind } from './kind.ts';

/** A file has at most this many entries. */
const ENTRIES = 5;

/** Files of a kind in which every two variants of two parts occur together: each entry alone, and some together. */
export function coveringFiles(kind: FileKind): readonly string[] {
  const heads = coverPairs(kind.head.map(({ length }) => length));
  const entries = coverPairs(kind.entry.map(({ length }) => length));
  const alone = Array.from({ length: Math.max(heads.length, entries.length) }, (_, i) =>
    makeFile(kind, heads[i % heads.length] ?? [], [entries[i % entries.length] ?? []]),
  );
  const together: string[] = [];
  for (let i = 0; i < entries.length; i += ENTRIES)
    together.push(makeFile(kind, heads[(i / ENTRIES) % heads.length] ?? [], entries.slice(i, i + ENTRIES)));
  return [...alone, ...together];
}

export function randomFile(kind: FileKind, random: Random): string {
  const row = (parts: FileKind['entry']): readonly number[] =>
    parts.map(({ length }) => random.below(length));
  const entries = Array.from({ length: 1 + random.below(ENTRIES) }, () => row(kind.entry));
  return makeFile(kind, row(kind.head), entries);
}

function makeFile(kind: FileKind, head: readonly number[], entries: readonly (readonly number[])[]): string {
  const { between = '', tail = '', finish = (entry: string) => entry } = kind;
  const written = entries.map((row, i) => finish(pick(kind.entry, row).replaceAll('№', String(i + 1))));
  return pick(kind.head, head) + written.join(between) + tail;
}

function pick(parts: FileKind['entry'], row: readonly number[]): string {
  return parts.map((variants, i) => variants[row[i] ?? 0] ?? '').join('');
}
