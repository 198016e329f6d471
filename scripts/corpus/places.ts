import type { Document, Slot } from '../../src/formats/format.ts';
import type { FormatId } from '../../src/formats/registry.ts';
import type { Entry } from '../../test/readers/reader.ts';

export interface Placed {
  /** For each slot, the index of the reader's entry with the same value. */
  readonly entryOf: ReadonlyMap<number, number>;
  /** Slots that the reader does not see although it should. */
  readonly problems: readonly string[];
}

const id = (key: readonly string[]): string => JSON.stringify(key);

/**
 * A slot's key as the readers report it: forms of a message that contains its sources have one key,
 * distinguished by their order.
 */
export function readerKey(format: FormatId, slot: Slot): readonly string[] {
  // Selections are split into variants, which the reader distinguishes by order.
  if (format === 'fluent') return slot.key.slice(0, slot.key[1]?.startsWith('.') === true ? 2 : 1);
  return slot.plural?.sources ? slot.plural.group : slot.key;
}

/**
 * Finds the entry of each slot: by its position in the file if the reader reports positions, otherwise by key
 * and order.
 */
export function placeSlots(
  format: FormatId,
  document: Document,
  entries: readonly Entry[],
  lastWins: boolean,
): Placed {
  const placed = entries.some(({ at }) => at)
    ? byPlace(document, entries)
    : byKey(format, document, entries, lastWins);
  const problems = [...placed.problems];
  for (const [index, entryIndex] of placed.entryOf) {
    const entry = entries[entryIndex];
    if (entry && entry.kind !== 'text')
      problems.push(`${name(document, index)} is ${entry.kind} according to the reader`);
  }
  return { ...placed, problems };
}

function byPlace(document: Document, entries: readonly Entry[]): Placed {
  const entryOf = new Map<number, number>();
  const problems: string[] = [];
  const ordered = [...entries.entries()]
    .filter(([, { at }]) => at)
    .sort(([, a], [, b]) => (a.at?.start ?? 0) - (b.at?.start ?? 0));
  let next = 0;
  for (const [index, { span }] of document.slots.entries()) {
    while ((ordered[next]?.[1].at?.end ?? Infinity) < span.start) next++;
    const [entryIndex, entry] = ordered[next] ?? [];
    if (entryIndex === undefined || !entry?.at || entry.at.start > span.start) {
      problems.push(`${name(document, index)} is not seen by the reader`);
    } else entryOf.set(index, entryIndex);
  }
  return { entryOf, problems };
}

function byKey(format: FormatId, document: Document, entries: readonly Entry[], lastWins: boolean): Placed {
  const queues = new Map<string, number[]>();
  for (const [index, { key, kind }] of entries.entries()) {
    if (kind === 'text') queues.set(id(key), [...(queues.get(id(key)) ?? []), index]);
  }
  const slots = [...document.slots.entries()];
  // Starts at the end, so that with a reader that keeps only the last of equal keys, the last slot gets its
  // entry.
  const entryOf = new Map<number, number>();
  const problems: string[] = [];
  const repeated = document.warnings.flatMap(({ key }) => (key ? [id(key).slice(0, -1)] : []));
  for (const [index, slot] of slots.reverse()) {
    const key = id(readerKey(format, slot));
    const entry = queues.get(key)?.pop();
    if (entry !== undefined) entryOf.set(index, entry);
    else if (!(lastWins && repeated.some((start) => key.startsWith(start)))) {
      problems.push(`${name(document, index)} is not seen by the reader`);
    }
  }
  return { entryOf, problems };
}

function name(document: Document, index: number): string {
  return document.slots[index]?.key.join(' › ') ?? String(index);
}
