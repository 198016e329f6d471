import type { Document, PluralForm, Slot } from '../../formats/format.ts';
import { keyId, pairWith, slotIds } from '../../documents/localization/pairing.ts';
import type { Syntax } from '../../text/syntax.ts';
import { siblingForm } from '../plan/key-state.ts';

/** The texts with which a value is compared, with their syntax and plural category. */
export interface Original {
  /** The texts that it may be the translation of; without any it is looked at by itself. */
  readonly texts: readonly string[] | undefined;
  readonly syntax: Syntax;
  /** The plural category that the value is for. */
  readonly category?: string | undefined;
}

/** An id of a program instead of a text, as some catalogues have it: its translation is the first text there is. */
const SYMBOL = /^[A-Za-z]\w*(?:[.:_-]\w+)+$/;

/**
 * Finds the source texts of a document's values: the text in the PO entry itself, else that of the same key in the
 * source. Any form of a plural may be the translation of any form of the source.
 *
 * @param source undefined: the document is a source itself, or nothing is known of one
 */
export function originalsOf(
  document: Document,
  source: Document | undefined,
  locale: string | undefined,
): (slot: Slot, index: number) => Original {
  const ids = source && slotIds(document);
  const paired = source && pairWith(source, { locale: locale ?? 'en' });
  const carried = formsOf(document, (slot) => slot.source);
  const originals = source && formsOf(source, ({ value }) => value || undefined);
  return (slot, index) => {
    const { syntax, plural } = slot;
    if (slot.source !== undefined) {
      const category = plural && categoryOf(slot, plural);
      if (SYMBOL.test(slot.source)) return { texts: undefined, syntax, category };
      return { texts: carried(slot)?.texts ?? [slot.source], syntax, category };
    }
    const from = paired?.(slot, ids?.[index] ?? '');
    const forms = originals?.(slot);
    const category = plural?.category ?? forms?.category;
    const texts = forms?.texts ?? from?.forms ?? (from && [from.text]);
    return { texts, syntax: from?.slot.syntax ?? syntax, category };
  };
}

/** A form without a category that is translated from the singular is for the number 1 (Serbian with four forms). */
function categoryOf({ key, source }: Slot, { category }: PluralForm): string {
  return /^\d+$/.test(category) && source === key[1] ? '=1' : category;
}

/** In formats that have plurals, key names do not make plurals. */
function formOf({ key, plural, source }: Slot): PluralForm | undefined {
  return plural ?? (source === undefined ? siblingForm(key) : undefined);
}

interface Forms {
  readonly texts: readonly string[];
  readonly category: string;
}

/** A source's form for so few numbers that it may do without the number. */
const SMALL = /^(?:zero|one|two)$/;

/**
 * The texts of the forms that a slot may be the translation of: those of its plural in the format, or, where keys beside
 * each other are a plural by their names (i18next, Rails), of those that have `other` among them. What is for many
 * numbers is not the translation of "one file".
 */
function formsOf(
  { slots }: Document,
  textOf: (slot: Slot) => string | undefined,
): (slot: Slot) => Forms | undefined {
  const groups = new Map<string, { readonly all: string[]; readonly large: string[] }>();
  const complete = new Set<string>();
  for (const slot of slots) {
    const form = formOf(slot);
    const text = form && textOf(slot);
    if (!form || text === undefined) continue;
    const id = keyId(form.group);
    const texts = groups.get(id) ?? { all: [], large: [] };
    groups.set(id, texts);
    texts.all.push(text);
    if (!SMALL.test(form.category)) texts.large.push(text);
    if (slot.plural || form.category === 'other') complete.add(id);
  }
  return (slot) => {
    const form = formOf(slot);
    const id = form && keyId(form.group);
    const texts = id === undefined || !complete.has(id) ? undefined : groups.get(id);
    if (!form || !texts) return undefined;
    const isLarge = !SMALL.test(form.category) && texts.large.length > 0;
    return { texts: isLarge ? texts.large : texts.all, category: form.category };
  };
}
