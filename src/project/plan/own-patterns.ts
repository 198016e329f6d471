import { keyId, slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import type { Document, Key } from '../../formats/format.ts';
import { type LockKey, lockKeys, type LockRecord } from '../state/lock-line.ts';
import { originOfExtra } from './key-state.ts';
import type { ReshapedMessage } from './reshaped-keys.ts';

type Records = ReadonlyMap<LockKey, readonly LockRecord[]>;

/**
 * The texts of messages whose selections differ between translation and source: only one of them has a selection, or
 * the translation selects by a different argument, or has different texts around its selection. The whole message is
 * the translator's own, so nothing in it counts as missing or extra, unless it had the selections of a former source.
 *
 * @param source with the plural forms of the language
 * @returns the texts of both documents
 */
export function findOwnPatterns(source: Document, target: Document, records: Records): ReadonlySet<SlotId> {
  const own = new Set<SlotId>();
  let former: FormerPatterns | undefined;
  for (const { wanted, found } of changedPatterns(source, target)) {
    former ??= new FormerPatterns(source, target, records);
    if (former.includes(found)) continue;
    for (const id of [...wanted, ...found].flat()) own.add(id);
  }
  return own;
}

/**
 * Our translations of messages whose source now has different selections. The format can only replace such a message as
 * a whole.
 *
 * @returns by the texts of the source that it lacks
 */
export function findOutdatedPatterns(
  source: Document,
  target: Document,
  records: Records,
): ReadonlyMap<SlotId, ReshapedMessage> {
  const outdated = new Map<SlotId, ReshapedMessage>();
  let former: FormerPatterns | undefined;
  for (const { wanted, found } of changedPatterns(source, target)) {
    former ??= new FormerPatterns(source, target, records);
    if (!former.areOurs(found)) continue;
    const replaced = former.keysOf(found);
    for (const id of wanted.flat()) outdated.set(id, { previous: undefined, replaced, lost: [] });
  }
  return outdated;
}

type Parts = readonly (readonly SlotId[])[];

/** Messages of which translation and source have different parts. */
function* changedPatterns(
  source: Document,
  target: Document,
): Generator<{ readonly wanted: Parts; readonly found: Parts }> {
  if (![source, target].some(({ slots }) => slots.some(({ whole }) => whole))) return;
  const standing = patternsOf(target);
  for (const [pattern, wanted] of patternsOf(source)) {
    const found = standing.get(pattern);
    if (!found || (found.size === wanted.size && [...found.keys()].every((part) => wanted.has(part))))
      continue;
    // The message became a plural, or stopped being one.
    if (found.size === 1 && wanted.size === 1 && (found.has(pattern) || wanted.has(pattern))) continue;
    yield { wanted: [...wanted.values()], found: [...found.values()] };
  }
}

/** Texts of a translation whose source had different selections. */
class FormerPatterns {
  readonly #target: Document;
  readonly #records: Records;
  readonly #wanted: ReadonlySet<SlotId>;
  readonly #keys: readonly LockKey[];
  readonly #ids: readonly SlotId[];
  readonly #places: ReadonlyMap<SlotId, number>;

  constructor(source: Document, target: Document, records: Records) {
    this.#target = target;
    this.#records = records;
    this.#wanted = new Set(slotIds(source));
    this.#keys = records.size === 0 ? [] : lockKeys(target);
    this.#ids = slotIds(target);
    this.#places = new Map(this.#ids.map((id, i) => [id, i]));
  }

  /**
   * Whether the source of a message had the translation's selections: the lock has all of its parts. A person's parts
   * may be in the lock because the source has them, too.
   */
  includes(parts: Parts): boolean {
    return (
      parts.every((part) => part.some((id) => this.#recordsOf(id))) &&
      parts.flat().some((id) => !this.#wanted.has(id) || this.#isOurs(id))
    );
  }

  /** Whether dragoman wrote all texts, without a person's decision. */
  areOurs(parts: Parts): boolean {
    const isDecided = (id: SlotId): boolean => this.#recordsOf(id)?.some(({ decision }) => decision) === true;
    return parts.flat().every((id) => this.#isOurs(id) && !isDecided(id));
  }

  keysOf(parts: Parts): readonly Key[] {
    const wanted = new Set(parts.flat());
    return this.#target.slots.flatMap(({ key }, i) => (wanted.has(this.#ids[i] ?? '') ? [key] : []));
  }

  #recordsOf(id: SlotId): readonly LockRecord[] | undefined {
    return this.#records.get(this.#keys[this.#places.get(id) ?? -1] ?? '');
  }

  #isOurs(id: SlotId): boolean {
    const { value = '' } = this.#target.slots[this.#places.get(id) ?? -1] ?? {};
    return originOfExtra(value, this.#recordsOf(id)) === 'ours';
  }
}

/**
 * The parts of each message, and the texts in them. The forms of a plural are one part, because languages have different
 * numbers of forms.
 */
function patternsOf(document: Document): ReadonlyMap<string, ReadonlyMap<string, readonly SlotId[]>> {
  const patterns = new Map<string, Map<string, SlotId[]>>();
  for (const [i, { key, whole, plural }] of document.slots.entries()) {
    const pattern = keyId(whole ?? key);
    const parts = patterns.get(pattern) ?? new Map<string, SlotId[]>();
    const part = keyId(plural?.group ?? key);
    const ids = parts.get(part) ?? [];
    ids.push(slotIds(document)[i] ?? '');
    patterns.set(pattern, parts.set(part, ids));
  }
  return patterns;
}
