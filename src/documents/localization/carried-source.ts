import { keyId } from './pairing.ts';
import type { OpenFile } from './open-file.ts';
import { makeSkeleton } from './target.ts';
import type { Edit, Span } from '../../base/span.ts';
import type { Document, Key, PluralForm, Slot } from '../../formats/format.ts';
import type { TranslationState } from '../../formats/state.ts';
import type { Syntax } from '../../text/syntax.ts';

/**
 * A translation that carries its source texts (PO: msgid) read as the template that it was made from: the slots are
 * those of the source language, without the translations, at their places in the file.
 *
 * @param locale of the source texts, canonical
 */
export function readAsTemplate(file: OpenFile, locale: string): OpenFile {
  const template = makeSkeleton(file, { locale, spelling: locale });
  const messageOf = (slot: Slot): string => keyId(slot.plural?.group ?? slot.key);
  const places = new Map(file.document.slots.map((slot) => [messageOf(slot), slot.span]));
  const slots = template.slots.map(
    (slot) => new TemplateSlot(slot, places.get(messageOf(slot)) ?? slot.span),
  );
  const { format } = file;
  // The slots are not those of the text: a skeleton of it is scanned, also where nothing has to be edited.
  const retarget: typeof format.retarget = (document, options) => [
    ...format.retarget(document, options),
    { span: { start: 0, end: 0 }, text: '' },
  ];
  return { ...file, format: { ...format, retarget }, document: withSlots(file.document, slots) };
}

/** The same document with other slots. What is read only when it is asked for is not asked for here. */
function withSlots(document: Document, slots: readonly Slot[]): Document {
  const { text, dialect, locale, sourceLocale } = document;
  return {
    ...{ text, slots, dialect, locale, sourceLocale },
    get entries() {
      return document.entries;
    },
    get tree() {
      return document.tree;
    },
    get warnings() {
      return document.warnings;
    },
  };
}

/** A slot of the template, without a value, at its place in the file. */
class TemplateSlot implements Slot {
  readonly key: Key;
  readonly value = '';
  readonly span: Span;
  readonly syntax: Syntax;
  readonly comment: string | undefined;
  readonly plural: PluralForm | undefined;
  readonly state: TranslationState | undefined;
  readonly source: string | undefined;
  readonly provisional: boolean | undefined;
  readonly companions: readonly Edit[] | undefined;
  readonly #slot: Slot;

  constructor(slot: Slot, span: Span) {
    ({
      key: this.key,
      syntax: this.syntax,
      comment: this.comment,
      plural: this.plural,
      state: this.state,
      source: this.source,
      provisional: this.provisional,
      companions: this.companions,
    } = slot);
    this.span = span;
    this.#slot = slot;
  }

  encode(value: string, syntax?: Syntax): string {
    return this.#slot.encode(value, syntax);
  }
}
