import type { Document, Key, PluralForm, Slot } from '../../formats/format.ts';
import { sameKey } from '../../formats/render.ts';
import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import { parseMessage } from '../../text/message.ts';
import { sourceForm } from '../../text/plural.ts';
import { tokenize } from '../../text/tagged.ts';

/**
 * Identifies a slot of a document: its key, and its index among slots of the same key. Equal in corresponding
 * documents.
 */
export type SlotId = string;

/**
 * Unique for each key. A key of one segment is its own id: if keys are sentences, copies as JSON would take more memory
 * than the file.
 */
export function keyId(key: Key): string {
  const [only] = key;
  if (only !== undefined && key.length === 1 && !only.includes('\0')) return only;
  const segments = key.some((segment) => segment.includes('\0'))
    ? key.map((segment) => segment.replaceAll('\0', '\0\0'))
    : key;
  return segments.length === 0 ? '\0' : segments.join('\0/');
}

const idsOf = new WeakMap<readonly Slot[], readonly SlotId[]>();

/**
 * The ids of `document.slots`, in the same order.
 *
 * @param twin a document that probably has the same keys: both then share one list, which takes as much memory as the
 * texts
 */
export function slotIds({ slots }: Document, twin?: Document): readonly SlotId[] {
  const known = idsOf.get(slots);
  if (known) return known;
  const ids = twin && haveSameKeys(slots, twin.slots) ? slotIds(twin) : makeIds(slots);
  idsOf.set(slots, ids);
  return ids;
}

function haveSameKeys(a: readonly Slot[], b: readonly Slot[]): boolean {
  return a.length === b.length && a.every(({ key }, i) => sameKey(key, b[i]?.key ?? []));
}

function makeIds(slots: readonly Slot[]): readonly SlotId[] {
  const seen = new Map<string, number>();
  return slots.map(({ key }) => {
    const id = keyId(key);
    const occurrence = seen.get(id) ?? 0;
    seen.set(id, occurrence + 1);
    return occurrence === 0 ? id : `${id}\0#${occurrence}`;
  });
}

/** The index of the slot with an id; undefined if it does not exist. */
export type SlotFinder = (id: SlotId) => number | undefined;

/**
 * Finds slots of a document by id: without an index, as long as they are requested in file order.
 *
 * @param twin see {@link slotIds}
 */
export function slotFinder(document: Document, twin?: Document): SlotFinder {
  const ids = slotIds(document, twin);
  let next = 0;
  let index: ReadonlyMap<SlotId, number> | undefined;
  return (id) => {
    if (!index) {
      for (let at = next; at < ids.length; at++) {
        if (ids[at] !== id) continue;
        next = at + 1;
        return at;
      }
      index = new Map(ids.map((other, at) => [other, at]));
    }
    return index.get(id);
  };
}

/** The source of a target slot. */
export interface SourceText {
  /** The slot of the source document. */
  readonly slot: Slot;
  readonly text: string;
  /** All forms of the plural, if the slot is one of them. */
  readonly forms?: readonly string[] | undefined;
}

interface PairingOptions {
  /** Canonical code of the target, which determines the source form of a plural form. */
  readonly locale: string;
  /**
   * PO: use msgid even if the source file has a translation. Default: the file's value is used, unless the file names
   * another language for its translations than for its sources.
   */
  readonly preferCarriedSource?: boolean | undefined;
}

/**
 * Finds the source of each slot of a target (or skeleton), by key, plural form and occurrence.
 *
 * @param target the document with these slots, if known: the source's own slots need no index
 */
export function pairWith(
  source: Document,
  options: PairingOptions,
  target?: Document,
): (slot: Slot, id: SlotId) => SourceText | undefined {
  const preferCarriedSource = options.preferCarriedSource ?? isTranslation(source);
  const textOf = (slot: Slot): string =>
    preferCarriedSource ? (slot.source ?? slot.value) : slot.value || (slot.source ?? '');
  const index = indexOf(source);
  const isSource = target?.slots === source.slots;
  return (slot, id) => {
    const forms = slot.plural && index.groups.get(keyId(slot.plural.group));
    if (!slot.plural || !forms) {
      const twin = isSource ? slot : (index.byId.get(id) ?? index.acrossShapes(slot));
      return twin && { slot: twin, text: textOf(twin) };
    }
    return (
      carriedForm(slot, forms, { ...options, preferCarriedSource }) ??
      sourceFormOf(slot.plural, forms, textOf, options)
    );
  };
}

function isTranslation({ locale, sourceLocale }: Document): boolean {
  const [own, from] = [locale, sourceLocale].map((spelling) => spelling && parseLocale(spelling));
  return own !== undefined && from !== undefined && !sameLanguage(own, from);
}

const categoryOf = ({ plural }: Slot): string => plural?.category ?? '';

function formOf(forms: readonly Slot[], category: string): Slot | undefined {
  return forms.find((form) => categoryOf(form) === category);
}

/** Finds the source text of a plural form, if the forms of the source are texts of its file. */
function sourceFormOf(
  { category, sources, entry }: PluralForm,
  forms: readonly Slot[],
  textOf: (slot: Slot) => string,
  { locale }: PairingOptions,
): SourceText | undefined {
  const count = (name: string): number => {
    const form = formOf(forms, name);
    return form ? countPlaceholders(textOf(form), form.syntax) : 0;
  };
  const found = sourceForm(forms.map(categoryOf), category, locale, {
    type: entry?.type,
    showsNumber: (name) => count(name) >= count('other'),
  });
  // PO forms, like numbered keys, have the names that their own rule gives them: the last one is for most numbers.
  const form = found === undefined ? (sources ?? entry) && forms.at(-1) : formOf(forms, found);
  return form && { slot: form, text: textOf(form), forms: forms.map(textOf) };
}

/**
 * The source text of a PO form, if the source file has no translation. The plural rule of the form's own language
 * decides whether the text is singular, regardless of the number of forms in the source file.
 */
function carriedForm(
  { source, plural }: Slot,
  forms: readonly Slot[],
  { locale, preferCarriedSource }: PairingOptions,
): SourceText | undefined {
  const [first] = forms;
  const sources = first?.plural?.sources;
  if (!first || !sources || source === undefined) return undefined;
  if (preferCarriedSource !== true && forms.some(({ value }) => value !== '')) return undefined;
  const [singular, manifold] = sources;
  const wanted = source === plural?.sources?.[0] ? 'one' : 'other';
  const chosen = sourceForm(['one', 'other'], wanted, locale, {
    showsNumber: (name) =>
      name === 'other' ||
      countPlaceholders(singular, first.syntax) >= countPlaceholders(manifold, first.syntax),
  });
  const text = chosen === 'one' || manifold === '' ? singular : manifold;
  return { slot: forms.find((form) => form.source === text) ?? first, text, forms: sources };
}

/** The slots of a source, indexed for pairing with targets. */
class SourceIndex {
  readonly #source: Document;
  #byId: ReadonlyMap<SlotId, Slot> | undefined;
  #groups: ReadonlyMap<string, readonly Slot[]> | undefined;

  constructor(source: Document) {
    this.#source = source;
  }

  get byId(): ReadonlyMap<SlotId, Slot> {
    if (this.#byId) return this.#byId;
    const ids = slotIds(this.#source);
    return (this.#byId = new Map(this.#source.slots.map((slot, i) => [ids[i] ?? '', slot])));
  }

  /** A plural in one language may be a single text in the other, and vice versa. */
  acrossShapes({ key, plural }: Slot): Slot | undefined {
    if (plural) return this.byId.get(keyId(plural.group));
    return formOf(this.groups.get(keyId(key)) ?? [], 'other');
  }

  /** The forms of each plural, one per category: short lists take a sixth of the memory of maps. */
  get groups(): ReadonlyMap<string, readonly Slot[]> {
    if (this.#groups) return this.#groups;
    const groups = new Map<string, readonly Slot[]>();
    for (const slot of this.#source.slots) {
      if (!slot.plural) continue;
      const group = keyId(slot.plural.group);
      const forms = groups.get(group) ?? [];
      const same = forms.findIndex((form) => categoryOf(form) === slot.plural?.category);
      groups.set(group, same < 0 ? forms.concat(slot) : forms.with(same, slot));
    }
    return (this.#groups = groups);
  }
}

/** Cached, because a source is paired with every target language. */
const indexes = new WeakMap<readonly Slot[], SourceIndex>();

function indexOf(source: Document): SourceIndex {
  const index = indexes.get(source.slots) ?? new SourceIndex(source);
  indexes.set(source.slots, index);
  return index;
}

function countPlaceholders(text: string, syntax: Slot['syntax']): number {
  const segments = parseMessage(text, syntax).segments('en');
  return segments.flatMap((tagged) => tokenize(tagged) ?? []).filter(({ type }) => type === 'placeholder')
    .length;
}

/**
 * Identifies a translatable key of a file. The forms of a plural count as one key unless they are entries, and
 * duplicates count as one key.
 */
export type MessageId = string;

export function messageOf({ key, plural }: Pick<Slot, 'key' | 'plural'>): MessageId {
  return keyId(plural && !plural.entry ? plural.group : key);
}

/** Tables count a plural with all its forms as one key, however its file writes them. */
export function entryOf({ key, plural }: Pick<Slot, 'key' | 'plural'>): string {
  return keyId(plural?.group ?? key);
}

/** The translatable keys of a file (specification: `total_keys`), which have a non-blank text, each with its index. */
export function messageKeys({ slots }: Document): ReadonlyMap<MessageId, number> {
  const keys = new Map<MessageId, number>();
  for (const { key, plural, source, value } of slots) {
    if ((source ?? value).trim() === '') continue;
    const id = messageOf({ key, plural });
    if (!keys.has(id)) keys.set(id, keys.size);
  }
  return keys;
}
