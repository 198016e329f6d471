import type { Fingerprint } from '../state/fingerprint.ts';
import type { LockRecord } from '../state/lock-line.ts';

export type KeyState =
  /** No value in the target, an empty one, or a guess. */
  | 'missing'
  /** Ours, and its source has changed. */
  | 'stale'
  /** The source text stands there since a translation failed. */
  | 'pending'
  /** New, but its source text was translated under another key, which is gone: that value moves here. */
  | 'renamed'
  /** Was there before we knew the file: a human's. */
  | 'adopted'
  /** A human changed it since we looked last. */
  | 'edited'
  /** A human's, and its source has changed since. Never overwritten. */
  | 'edited-stale'
  /** Nothing to do. */
  | 'current';

export interface KeyFacts {
  readonly sourceHash: Fingerprint;
  /** Of the value in the target; undefined when there is none. */
  readonly output: Fingerprint | undefined;
  readonly record: LockRecord | undefined;
}

export function stateOf({ sourceHash, output, record }: KeyFacts): KeyState {
  if (output === undefined) return 'missing';
  if (!record) return 'adopted';
  const untouched = record.output === output;
  const sameSource = record.source === sourceHash;
  if (untouched && record.mark === 'pending') return 'pending';
  if (untouched && record.mark === undefined) return sameSource ? 'current' : 'stale';
  if (untouched && sameSource) return 'current';
  // It was reported that the source had changed, and then the value was changed: that was the answer.
  if (record.mark === 'outdated' && !untouched) return 'edited';
  return sameSource || record.mark === 'pending' ? 'edited' : 'edited-stale';
}

/** The record of a key whose value is not touched; undefined for a key without a value or not yet dealt with. */
export function keptRecord(state: KeyState, facts: KeyFacts): LockRecord | undefined {
  const { sourceHash, output, record } = facts;
  if (output === undefined) return undefined;
  if (state === 'adopted' || state === 'edited') return { source: sourceHash, output, mark: 'human' };
  if (state === 'edited-stale') return { source: record?.source ?? sourceHash, output, mark: 'outdated' };
  if (state === 'missing' || state === 'renamed') return undefined;
  // Back at what it was translated from: no longer outdated.
  return state === 'current' && record?.mark === 'outdated' ? { ...record, mark: 'human' } : record;
}
