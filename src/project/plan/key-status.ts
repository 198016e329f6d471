import { isOwnMark } from '../state/lock-line.ts';
import type { KeyState } from './key-state.ts';
import type { PlannedKey } from './plan.ts';

/**
 * The statuses of a target's key. Those without a translation come first, because they determine the status of the
 * entry.
 */
export const KEY_STATUSES = [
  'missing',
  'pending',
  'unmatched',
  'stale',
  'review',
  'outdated',
  'edited',
  'unknown',
  'translated',
] as const;

export type KeyStatus = (typeof KEY_STATUSES)[number] | 'extra';

const STATUS_OF: Readonly<Record<Exclude<KeyState, 'current'>, (typeof KEY_STATUSES)[number]>> = {
  missing: 'missing',
  renamed: 'missing',
  pending: 'pending',
  stale: 'stale',
  outdated: 'outdated',
  edited: 'edited',
  unknown: 'unknown',
  unmatched: 'unmatched',
  'no-text': 'unknown',
};

export function keyStatusOf({ state, record, review }: PlannedKey): (typeof KEY_STATUSES)[number] {
  // Texts that will be retranslated or moved here need no review before that.
  if (review && state !== 'stale' && state !== 'pending' && state !== 'renamed') return 'review';
  if (state !== 'current') return STATUS_OF[state];
  if (record?.mark === 'human') return 'edited';
  return isOwnMark(record?.mark) ? 'translated' : 'unknown';
}

/** Whether the target has no translation of the key. */
export function isMissing(key: PlannedKey): boolean {
  const status = keyStatusOf(key);
  return status === 'missing' || status === 'pending';
}

/**
 * Counts entries by kind. The forms of a plural, and texts with the same key, count as one entry, of the kind that comes
 * first.
 *
 * @param kinds all possible results of `kindOf`
 */
export function countEntries<Kind extends string>(
  keys: readonly PlannedKey[],
  kinds: readonly Kind[],
  kindOf: (key: PlannedKey, i: number) => Kind,
): (kind: Kind) => number {
  const places = new Map(kinds.map((kind, place) => [kind, place]));
  const counts = kinds.map(() => 0);
  const add = (place: number): void => void (counts[place] = (counts[place] ?? 0) + 1);
  const plurals = new Map<string, number>();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (!key) continue;
    const place = places.get(kindOf(key, i)) ?? -1;
    if (key.category === undefined && !key.isRepeated) add(place);
    else plurals.set(key.entry, Math.min(place, plurals.get(key.entry) ?? place));
  }
  for (const place of plurals.values()) add(place);
  return (kind) => counts[places.get(kind) ?? -1] ?? 0;
}
