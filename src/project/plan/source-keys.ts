import { entryOf, keyId, pairWith, slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import type { Document, Key, Slot } from '../../formats/format.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import { type Fingerprint, type LockKey, lockKeys, sourceFingerprint } from '../state/lock-line.ts';
import { findOverridden, findRepeated } from './repeated-keys.ts';

/** A key that a target should have, with its source text. */
export interface SourceKey {
  readonly id: SlotId;
  readonly key: Key;
  /** The entry of the key, which coverage and changes count. */
  readonly entry: string;
  readonly lockKey: LockKey;
  /** The text to translate. */
  readonly text: string;
  readonly forms?: readonly string[] | undefined;
  readonly syntax: Slot['syntax'];
  readonly rule?: Slot['rule'];
  /** The developer's note to translators. */
  readonly comment?: string | undefined;
  /** The plural category, if the key is a plural form. */
  readonly category?: string | undefined;
  /** Whether the source has the key several times. All its texts count as one. */
  readonly isRepeated: boolean;
  /** The offset of the text in the source file. */
  readonly sourceOffset: number;
  readonly sourceHash: Fingerprint;
  /** Whether the source text is empty, in which case the key needs no translation. */
  readonly blank: boolean;
}

/** The keys that a source requires in its targets. */
export interface SourceKeys {
  readonly keys: readonly SourceKey[];
  /** The ids of all slots of the skeleton. */
  readonly ids: ReadonlySet<SlotId>;
  readonly lockKeys: ReadonlySet<LockKey>;
  /** Limits from sources other than comments. */
  readonly limits: ReadonlyMap<SlotId, LengthLimit>;
}

/**
 * Lists the keys that a source requires in the targets of a language.
 *
 * @param skeleton the source as an untranslated file of the locale, with the slots that the target should have
 * @param locale canonical
 * @param like the keys of another language whose skeleton has the same slots: only plural forms differ
 */
export function listSourceKeys(
  source: Document,
  skeleton: Document,
  locale: string,
  like?: SourceKeys,
): SourceKeys {
  const known = like && new Map(like.keys.map((key) => [key.id, key]));
  const sourceOf = pairWith(source, { locale });
  const ids = slotIds(skeleton);
  const locked = like ? [] : lockKeys(skeleton);
  const overridden = findOverridden(source);
  const repeated = findRepeated(source);
  const limits = new Map(like?.limits);
  const keys = skeleton.slots.flatMap((slot, i): SourceKey[] => {
    const id = ids[i] ?? '';
    const same = known?.get(id);
    if (same && !slot.plural) return [same];
    const from = overridden.has(id) ? undefined : sourceOf(slot, id);
    if (!from) return [];
    const { comment, limit, plural } = from.slot;
    if (limit) limits.set(id, limit);
    return [
      {
        id,
        key: slot.key,
        entry: entryOf(slot),
        lockKey: same?.lockKey ?? locked[i] ?? '',
        text: from.text,
        forms: from.forms,
        syntax: slot.syntax,
        rule: slot.rule,
        comment,
        category: slot.plural?.category,
        isRepeated: repeated.size > 0 && repeated.has(keyId(slot.key)),
        sourceOffset: from.slot.span.start,
        // If the form is an entry, its key identifies it.
        sourceHash: sourceFingerprint({
          text: from.text,
          comment,
          category: plural?.entry ? undefined : plural?.category,
        }),
        blank: from.text.trim() === '',
      },
    ];
  });
  if (like) return { ...like, keys, limits };
  return { keys, ids: new Set(ids), lockKeys: new Set(locked), limits };
}
