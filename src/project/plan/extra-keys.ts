import { positionsIn } from '../../base/span.ts';
import { entryOf, keyId, slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { leavesOf } from '../../documents/localization/restructure.ts';
import type { Document, Key } from '../../formats/format.ts';
import { knownText } from '../../formats/registry.ts';
import { sameKey } from '../../formats/render.ts';
import { type LockKey, lockKeys, type LockRecord } from '../state/lock-line.ts';
import { originOfExtra, pluralSiblings, type PreviousKey, type TranslationOrigin } from './key-state.ts';
import type { KeyFailure } from './report.ts';
import type { ReshapedMessage } from './reshaped-keys.ts';

export interface ExtraKey {
  readonly key: Key;
  readonly entry: string;
  readonly origin: TranslationOrigin;
  /** The offset in the target file. */
  readonly offset: number;
}

interface ExtraInput {
  /** The ids of all slots of the skeleton. */
  readonly ids: ReadonlySet<SlotId>;
  readonly skeleton: Document;
  readonly target: Document;
  /** Canonical. */
  readonly locale: string;
  /** Unfinished keys: a key whose value they reuse is not extra. */
  readonly planned: readonly {
    readonly previous: PreviousKey | undefined;
    readonly reshaped: ReshapedMessage | undefined;
  }[];
  /** Records of keys that exist only in the target. */
  readonly leftover: ReadonlyMap<LockKey, readonly LockRecord[]>;
}

/** Lists the keys of a target that its source lacks. */
export function findExtra(input: ExtraInput): readonly ExtraKey[] {
  const { target, skeleton, locale, planned, leftover } = input;
  const ids = slotIds(target);
  const reused = new Set(
    planned.flatMap(({ previous, reshaped }) =>
      [...(previous ? [previous.key] : []), ...(reshaped?.replaced ?? [])].map(keyId),
    ),
  );
  const isExpected = (id: SlotId): boolean => input.ids.has(id) || reused.has(id);
  // Created only if needed, because most targets have no unexpected keys.
  let isSibling: ReturnType<typeof pluralSiblings> | undefined;
  let untranslatable: ReadonlySet<string> | undefined;
  let keys: readonly LockKey[] | undefined;
  const seen = new Set<string>();
  return target.slots.flatMap((slot, i): ExtraKey[] => {
    if (isExpected(ids[i] ?? '')) return [];
    // A duplicate of a source key is not an extra key.
    const id = keyId(slot.key);
    if (isExpected(id) || seen.has(id)) return [];
    isSibling ??= pluralSiblings(skeleton, locale);
    if (isSibling(slot)) return [];
    // The source has the key, but nothing to translate in it, for example in an array that pruning would renumber.
    untranslatable ??= new Set(leavesOf(skeleton.entries));
    if (untranslatable.has(id)) return [];
    seen.add(id);
    keys ??= lockKeys(target);
    const origin = originOfExtra(slot.value, leftover.get(keys[i] ?? ''));
    // The source has one text for all numbers, so a person's form for some numbers is kept.
    const isOwnForm = slot.plural?.includesText === true && isExpected(keyId(slot.plural.group));
    if (isOwnForm && origin !== 'ours') return [];
    return [{ key: slot.key, entry: entryOf(slot), origin, offset: slot.span.start }];
  });
}

/**
 * Why keys that pruning selected stay in a file.
 *
 * @param made the built file; its document is scanned only for such keys
 */
export function keptKeyFailures(
  keys: readonly ExtraKey[],
  file: string,
  { format }: OpenFile,
  made: { readonly document: Document } | undefined,
): readonly KeyFailure[] {
  if (!made || keys.length === 0) return [];
  const { text, slots } = made.document;
  const positionOf = positionsIn(text);
  const reason = 'without it, other texts of the file would change. Remove it by hand.';
  return keys.map(({ key }) => {
    const slot = slots.find((one) => sameKey(one.key, key));
    const known = knownText(format, slot?.source ?? slot?.value);
    return { file, ...positionOf(slot?.span.start ?? 0), key, ...known, isExtra: true, reason };
  });
}
