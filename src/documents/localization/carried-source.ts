import { keyId } from './pairing.ts';
import type { OpenFile } from './open-file.ts';
import { makeSkeleton } from './target.ts';
import { deriveDocument } from '../../formats/document.ts';
import type { Edit, Span } from '../../base/span.ts';
import type { Key, PluralForm, Slot, TranslationState } from '../../formats/format.ts';
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
  const places = new Map(file.document.slots.map((slot) => [messageOf(slot), slot]));
  const slots = template.slots.map((slot) => new TemplateSlot(slot, places.get(messageOf(slot)) ?? slot));
  return { ...file, document: deriveDocument(file.document, { slots }), template };
}

/** A slot of the template, without a value, at its place in the file. */
class TemplateSlot implements Slot {
  readonly value = '';
  readonly #slot: Slot;
  readonly #place: Slot;

  constructor(slot: Slot, place: Slot) {
    this.#slot = slot;
    this.#place = place;
  }

  get span(): Span {
    return this.#place.span;
  }

  get key(): Key {
    return this.#slot.key;
  }

  get syntax(): Syntax {
    return this.#slot.syntax;
  }

  get comment(): string | undefined {
    return this.#slot.comment;
  }

  get plural(): PluralForm | undefined {
    return this.#slot.plural;
  }

  get state(): TranslationState | undefined {
    return this.#slot.state;
  }

  get source(): string | undefined {
    return this.#slot.source;
  }

  get provisional(): boolean | undefined {
    return this.#slot.provisional;
  }

  get companions(): readonly Edit[] | undefined {
    return this.#slot.companions;
  }

  encode(value: string, syntax?: Syntax): string {
    return this.#slot.encode(value, syntax);
  }
}
