import { type SlotId, keyId, slotFinder, slotIds } from '../../documents/localization/pairing.ts';
import { type Document, isGuess, type Key, type Slot } from '../../formats/format.ts';
import { categoryOfOne, isPluralCategory, pluralCategories } from '../../text/plural.ts';
import {
  fingerprint,
  type Fingerprint,
  type LockKey,
  lockKeys,
  type LockRecord,
  sourceFingerprint,
} from '../state/lock-line.ts';
import { chooseRecord, keptRecord, originOfExtra, type PreviousKey, stateOf } from './key-state.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** A target's texts of a message that is a plural there and one text in the source, or the reverse. */
export interface ReshapedMessage {
  /** The value that the key takes over. If it is ours, it was made from the same text. */
  readonly previous: PreviousKey | undefined;
  /** The texts that are removed when the key is inserted, including that of `previous`. */
  readonly replaced: readonly Key[];
  /** The replaced texts that are not ours and that no key takes over. */
  readonly lost: readonly string[];
}

/** A key that the target should have. */
interface WantedKey {
  readonly id: SlotId;
  readonly key: Key;
  readonly text: string;
  readonly forms?: readonly string[] | undefined;
  readonly comment?: string | undefined;
  readonly category?: string | undefined;
  readonly sourceHash: Fingerprint;
  readonly blank: boolean;
}

interface ReshapedInput {
  readonly wanted: readonly WantedKey[];
  /** The source as an untranslated file of the locale. */
  readonly skeleton: Document;
  readonly target: Document;
  readonly records: ReadonlyMap<LockKey, readonly LockRecord[]>;
  /** Canonical. */
  readonly locale: string;
}

/**
 * Finds messages that became a plural or stopped being one. A person's text is kept as the form that it translates,
 * otherwise as the form for the number 1. If a plural becomes one text, that form is kept.
 *
 * @returns the reshaped keys, by the source's keys that take over or replace a value
 */
export function findReshaped({
  wanted,
  skeleton,
  ...input
}: ReshapedInput): ReadonlyMap<SlotId, ReshapedMessage> {
  const { target } = input;
  const reshaped = new Map<SlotId, ReshapedMessage>();
  const finder = new ReshapedFinder(input);
  for (const [id, found] of finder.selectAnew(wanted, skeleton)) reshaped.set(id, found);
  const wantedForms = formsByMessage(skeleton);
  const standingForms = formsByMessage(target);
  if (wantedForms.size + standingForms.size === 0) return reshaped;
  const find = slotFinder(target);
  const ids = slotIds(skeleton);
  const messages = new Map<SlotId, SlotId>();
  for (const [message, forms] of wantedForms) {
    if (standingForms.has(message) || find(message) === undefined) continue;
    for (const i of forms) messages.set(ids[i] ?? '', message);
  }
  const plurals = new Map<SlotId, WantedKey[]>();
  for (const key of wanted) {
    if (key.blank) continue;
    const message = messages.get(key.id);
    const forms = wantedForms.has(key.id) ? undefined : standingForms.get(key.id);
    if (message !== undefined) addTo(plurals, message, key);
    else if (forms && find(key.id) === undefined) reshaped.set(key.id, finder.joinForms(key, forms));
  }
  for (const [message, forms] of plurals) {
    const found = finder.splitText(forms, find(message) ?? -1);
    if (found) reshaped.set(found.form.id, found);
  }
  return reshaped;
}

/** The indexes of plural forms, by the slot that the message has as one text. */
function formsByMessage({ slots }: Document): ReadonlyMap<SlotId, readonly number[]> {
  const forms = new Map<SlotId, number[]>();
  let areNamed = false;
  for (const [i, { key, plural }] of slots.entries()) {
    if (plural?.includesText === true) continue;
    const isNamed = !plural && key.length > 1 && isPluralCategory(key.at(-1) ?? '');
    if (!plural && !isNamed) continue;
    areNamed ||= isNamed;
    const message = keyId(plural ? (plural.single ?? plural.group) : key.slice(0, -1));
    addTo(forms, message, i);
  }
  // If only names suggest forms, `other` next to `home` and `work` is not a form.
  if (areNamed)
    for (const { key, plural } of slots)
      if (!plural && !isPluralCategory(key.at(-1) ?? '')) forms.delete(keyId(key.slice(0, -1)));
  return forms;
}

/** All six categories. */
const CATEGORIES = pluralCategories('ar');

class ReshapedFinder {
  readonly #target: Document;
  readonly #records: ReshapedInput['records'];
  readonly #one: string;
  #lockKeys: readonly LockKey[] | undefined;

  constructor({ target, records, locale }: Omit<ReshapedInput, 'wanted' | 'skeleton'>) {
    this.#target = target;
    this.#records = records;
    this.#one = categoryOfOne(locale);
  }

  /**
   * Our translations of messages whose selections are others now, by a key of each: with `$n` renamed, or without
   * the selection, all texts have new keys. A message with a person's text is kept.
   */
  selectAnew(wanted: readonly WantedKey[], skeleton: Document): ReadonlyMap<SlotId, ReshapedMessage> {
    const found = new Map<SlotId, ReshapedMessage>();
    if (![skeleton, this.#target].some(({ slots }) => slots.some(({ whole }) => whole))) return found;
    const standing = new Map<SlotId, number[]>();
    for (const [i, { whole, key }] of this.#target.slots.entries()) addTo(standing, keyId(whole ?? key), i);
    const find = slotFinder(this.#target);
    const ids = slotIds(skeleton);
    const messages = new Map(skeleton.slots.map(({ whole, key }, i) => [ids[i] ?? '', keyId(whole ?? key)]));
    const open = new Map<SlotId, WantedKey[]>();
    for (const key of wanted) if (!key.blank) addTo(open, messages.get(key.id) ?? '', key);
    for (const [message, [first, ...others]] of open) {
      const places = standing.get(message) ?? [];
      const isGone = [first, ...others].every((key) => key && find(key.id) === undefined);
      if (!first || places.length === 0 || !isGone || this.#lost(places, undefined).length > 0) continue;
      const replaced = places.flatMap((at) => (this.#target.slots[at] ? [this.#target.slots[at].key] : []));
      found.set(first.id, { previous: undefined, replaced, lost: [] });
    }
    return found;
  }

  /** @param at the index of the text that replaces these forms */
  splitText(
    forms: readonly WantedKey[],
    at: number,
  ): (ReshapedMessage & { readonly form: WantedKey }) | undefined {
    const slot = this.#target.slots[at];
    const first = this.#formForOne(forms, (form) => ({
      category: form.category ?? form.key.at(-1),
      isSingular: form.text === form.forms?.[0],
    }));
    if (!slot || !first) return undefined;
    const isSource = (form: WantedKey): boolean => this.#recordedSource(at, form) !== undefined;
    const form = isSource(first) ? first : (forms.find(isSource) ?? first);
    const previous = this.#previousOf(form, at);
    return { form, previous, replaced: [slot.key], lost: this.#lost([at], previous) };
  }

  /** @param places the indexes of the forms that replace this text */
  joinForms(key: WantedKey, places: readonly number[]): ReshapedMessage {
    const { slots } = this.#target;
    const first = this.#formForOne(places, (at) => {
      const { plural, source, key: formKey = [] } = slots[at] ?? {};
      return {
        category: plural?.category ?? formKey.at(-1),
        isSingular: source !== undefined && source === plural?.sources?.[0],
      };
    });
    // Our translation of another text is ignored; a person's text is kept as another form.
    const candidates = first === undefined ? places : [first, ...places];
    const made = candidates.filter((at) => this.#recordedSource(at, key) !== undefined);
    const [previous] = [...made, ...candidates].flatMap((at) => this.#previousOf(key, at) ?? []);
    const replaced = places.flatMap((place) => (slots[place] ? [slots[place].key] : []));
    return { previous, replaced, lost: this.#lost(places, previous) };
  }

  /**
   * In a PO file the file's own rule defines the forms: the one for 1 may apply to other numbers too, and have no
   * category.
   */
  #formForOne<Form>(
    forms: readonly Form[],
    traitsOf: (form: Form) => { readonly category: string | undefined; readonly isSingular: boolean },
  ): Form | undefined {
    const named = (name: string) => (form: Form) => traitsOf(form).category === name;
    return (
      forms.find(named(this.#one)) ??
      forms.find(named('one')) ??
      forms.find((form) => traitsOf(form).isSingular) ??
      forms.find(named('other')) ??
      forms[0]
    );
  }

  #recordsOf(at: number): readonly LockRecord[] | undefined {
    this.#lockKeys ??= lockKeys(this.#target);
    return this.#records.get(this.#lockKeys[at] ?? '');
  }

  /** The source fingerprint in a value's record, if it is that of this key's text, as a whole or as any plural form. */
  #recordedSource(at: number, { text, comment, sourceHash }: WantedKey): Fingerprint | undefined {
    const records = this.#recordsOf(at);
    if (!records) return undefined;
    const hashes = new Set([
      sourceHash,
      ...[undefined, ...CATEGORIES].map((category) => sourceFingerprint({ text, comment, category })),
    ]);
    return records.find(({ source }) => hashes.has(source))?.source;
  }

  #previousOf(key: WantedKey, at: number): PreviousKey | undefined {
    const slot = this.#target.slots[at];
    if (!slot || !isText(slot)) return undefined;
    const { value } = slot;
    const output = fingerprint(value);
    const source = this.#recordedSource(at, key) ?? key.sourceHash;
    const facts = { sourceHash: source, output, record: chooseRecord(this.#recordsOf(at), source, output) };
    const state = stateOf(facts);
    const kept = state === 'stale' || state === 'pending' ? undefined : keptRecord(state, facts);
    if (!kept) return undefined;
    const record = kept.source === source ? { ...kept, source: key.sourceHash } : kept;
    const review = slot.review !== undefined;
    return { value, review, key: slot.key, lockKey: this.#lockKeys?.[at] ?? '', record };
  }

  #lost(places: readonly number[], previous: PreviousKey | undefined): readonly string[] {
    return places.flatMap((at) => {
      const slot = this.#target.slots[at];
      if (!slot || !isText(slot) || slot.key === previous?.key) return [];
      return originOfExtra(slot.value, this.#recordsOf(at)) === 'ours' ? [] : [slot.value];
    });
  }
}

/** A guess does not count as a translation. */
function isText(slot: Slot): boolean {
  return slot.value !== '' && !isGuess(slot);
}
