import type { ErrorCode } from '../../base/errors.ts';
import type { SlotId } from '../../documents/localization/pairing.ts';
import type { Key, ReviewCause } from '../../formats/format.ts';
import { codeOfFailure } from '../../pipeline/unit.ts';
import type { ExtraKey } from '../plan/extra-keys.ts';
import {
  actionFor,
  keysToConsider,
  prunedKeys,
  type KeyAction,
  type OutcomeOfKey,
  type Selection,
} from '../plan/key-action.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { Survey } from '../plan/survey.ts';
import { markedValues } from './marked-values.ts';

interface Reason {
  readonly text: string;
  readonly code?: ErrorCode | undefined;
}

/** The decisions about a file's keys. */
export interface FileDecisions {
  /** The examined keys. */
  readonly keys: readonly PlannedKey[];
  /** The actions for keys that change. */
  readonly actions: ReadonlyMap<SlotId, KeyAction>;
  readonly values: Map<SlotId, string>;
  /** The keys that need a review, with the reason. */
  readonly marked: ReadonlyMap<SlotId, ReviewCause>;
  readonly reasons: Map<SlotId, Reason>;
  /** Keys that were not reached. They are not failures: the next run translates them. */
  readonly undone: ReadonlySet<SlotId>;
  /** The former keys of values that move. */
  readonly moved: ReadonlyMap<SlotId, Key>;
  /** See `TargetInput.replaced`. */
  readonly replaced: ReadonlyMap<SlotId, readonly Key[]>;
  /** Keys that pruning removes. */
  readonly extra: readonly ExtraKey[];
}

/** The old keys to remove. A value that could not be written at its new position stays at the old one. */
export function removedKeys({
  extra,
  moved,
  values,
}: Pick<FileDecisions, 'extra' | 'moved' | 'values'>): readonly Key[] {
  return [
    ...extra.map(({ key }) => key),
    ...[...moved].flatMap(([id, key]) => (values.has(id) ? [key] : [])),
  ];
}

export function decideKeys(survey: Survey, answer: OutcomeOfKey, selection: Selection): FileDecisions {
  const { plan, existing, tags } = survey;
  const actions = new Map<SlotId, KeyAction>();
  const values = new Map<SlotId, string>();
  const reasons = new Map<SlotId, Reason>();
  const undone = new Set<SlotId>();
  const moved = new Map<SlotId, Key>();
  const replaced = new Map<SlotId, readonly Key[]>();
  const keys = keysToConsider(plan, selection);
  for (const key of keys) {
    const action = actionFor(key, selection);
    if (action === 'keep' || action === 'skip') continue;
    actions.set(key.id, action);
    if (action === 'copy' && existing) values.set(key.id, key.text);
    if (key.reshaped) replaced.set(key.id, key.reshaped.replaced);
    if (action === 'reuse' && key.previous) {
      const { value, key: from } = key.previous;
      values.set(key.id, value);
      if (!key.reshaped?.previous && isBelow(from, key.key)) replaced.set(key.id, [from]);
      else if (!key.reshaped?.previous) moved.set(key.id, from);
    }
    if (action !== 'translate') continue;
    const outcome = answer(key);
    if (!outcome)
      reasons.set(key.id, { text: 'the file changed during the run: the next one translates it' });
    else if (!('failure' in outcome)) values.set(key.id, tags?.link(outcome.value) ?? outcome.value);
    else if (outcome.kind === 'stopped') undone.add(key.id);
    else reasons.set(key.id, { text: outcome.failure, code: codeOfFailure(outcome) });
  }
  const extra = prunedKeys(plan, selection);
  const marked = markedValues(survey, { keys, actions, values, answer, selection });
  return { keys, actions, values, marked, reasons, undone, moved, replaced, extra };
}

/** Whether one of the keys is a text in a place where the other needs a container. */
function isBelow(a: Key, b: Key): boolean {
  return (a.length < b.length ? a : b).every((segment, i) => segment === (a.length < b.length ? b : a)[i]);
}
