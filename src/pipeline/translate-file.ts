import { DragomanError } from '../base/errors.ts';
import { positionsIn, type Position } from '../base/span.ts';
import type { RequiredTerm } from '../engines/engine.ts';
import type { Document, Key, Slot } from '../formats/format.ts';
import type { OpenFile } from './open-file.ts';
import { pairWith, slotIds, type SlotId, type SourceText } from './pairing.ts';
import { translatePortions } from './portions.ts';
import type { SegmentContext } from './segments.ts';
import { makeSkeleton, type TargetLocale } from './target.ts';
import type { Unit } from './unit.ts';
import { buildWholePlurals } from './whole-plurals.ts';

export interface FailedKey {
  readonly key: Key;
  /** The key of the plural message that it is a form of; else the key itself. */
  readonly message: Key;
  /** Where the value stands in the source file. */
  readonly position: Position;
  readonly reason: string;
}

/** A term of the glossary that a translation lacks. */
export interface LackingKey extends RequiredTerm {
  readonly key: Key;
  /** Where the value stands in the source file. */
  readonly position: Position;
}

export interface TranslatedFile {
  readonly bytes: Uint8Array;
  /** Slots of the result that hold a translation now. */
  readonly translated: number;
  readonly failed: readonly FailedKey[];
  readonly lacking: readonly LackingKey[];
}

/**
 * Translates a whole localization file (specification: `POST /v2/translate/i18n`): every key, PO entries from their
 * msgid. Same format, structure and encoding; a key that fails keeps its source text and is reported.
 *
 * @throws DragomanError `engine_unavailable`, `interrupted`, `integrity`.
 */
export async function translateFile(
  source: OpenFile,
  target: TargetLocale,
  context: Omit<SegmentContext, 'target'>,
): Promise<TranslatedFile> {
  const skeleton = makeSkeleton(source, target);
  const works = new Works(source.document, skeleton, target.locale);
  const values = new Map<SlotId, string>();
  const reasons = new Map<SlotId, string>();
  const missing = new Map<SlotId, readonly RequiredTerm[]>();
  await translatePortions(
    works.count,
    (i) => works.unitAt(i),
    (i, outcome) => {
      const id = works.idAt(i);
      if ('failure' in outcome) reasons.set(id, outcome.failure);
      else {
        values.set(id, outcome.value);
        if (outcome.missingTerms) missing.set(id, outcome.missingTerms);
      }
    },
    { ...context, target: target.locale },
  );
  if (context.signal.aborted) throw new DragomanError('interrupted', 'the translation was interrupted');
  const { bytes, rejected } = buildWholePlurals({ source, skeleton, existing: undefined, ...target, values });
  for (const [id, error] of rejected) reasons.set(id, error.message);
  const positionOf = positionsIn(source.document.text);
  const failed = works.with(reasons).map(([work, reason]) => failedKey(work, positionOf, reason));
  const lacking = works.with(missing).flatMap(([{ id, slot, from }, terms]) => {
    if (reasons.has(id)) return [];
    const position = positionOf(from.slot.span.start);
    return terms.map((term) => ({ key: slot.key, position, ...term }));
  });
  return { bytes, translated: works.count - failed.length, failed, lacking };
}

/** Every key that {@link translateFile} would translate, as failed for one reason: no engine has the languages. */
export function failAllKeys(source: OpenFile, target: TargetLocale, reason: string): readonly FailedKey[] {
  const works = new Works(source.document, makeSkeleton(source, target), target.locale);
  const positionOf = positionsIn(source.document.text);
  return works.all().map((work) => failedKey(work, positionOf, reason));
}

function failedKey(
  { slot, from }: Work,
  positionOf: ReturnType<typeof positionsIn>,
  reason: string,
): FailedKey {
  return {
    key: slot.key,
    message: slot.plural?.group ?? slot.key,
    position: positionOf(from.slot.span.start),
    reason,
  };
}

/** A slot of the skeleton that has a text in the source. */
interface Work {
  readonly id: SlotId;
  readonly slot: Slot;
  readonly from: SourceText;
}

/** The works of a file, made one by one: what all of them hold would weigh more than the file. */
class Works {
  readonly #slots: readonly Slot[];
  readonly #ids: readonly SlotId[];
  readonly #sourceOf: ReturnType<typeof pairWith>;
  /** Of the slots that have a text in the source. */
  readonly #places: number[] = [];
  readonly #texts: string[] = [];

  constructor(source: Document, skeleton: Document, locale: string) {
    this.#slots = skeleton.slots;
    this.#ids = slotIds(skeleton);
    this.#sourceOf = pairWith(source, { locale, preferCarriedSource: true }, skeleton);
    for (const [place, slot] of skeleton.slots.entries()) {
      const text = this.#sourceOf(slot, this.#ids[place] ?? '')?.text ?? '';
      if (text === '') continue;
      this.#places.push(place);
      this.#texts.push(text);
    }
  }

  get count(): number {
    return this.#places.length;
  }

  idAt(index: number): SlotId {
    return this.#ids[this.#places[index] ?? -1] ?? '';
  }

  unitAt(index: number): Unit {
    const { slot, from } = this.#at(index);
    const neighbours = [this.#texts[index - 1], this.#texts[index + 1]].filter((text) => text !== undefined);
    const { comment } = from.slot;
    const context = { key: slot.key, category: slot.plural?.category, comment, neighbours };
    return { value: from.text, syntax: slot.syntax, forms: from.forms, context };
  }

  all(): readonly Work[] {
    return this.#places.map((_, index) => this.#at(index));
  }

  /** The works that something was found about, in file order. */
  with<T>(found: ReadonlyMap<SlotId, T>): readonly (readonly [Work, T])[] {
    if (found.size === 0) return [];
    return this.#places.flatMap((_, index) => {
      const one = found.get(this.idAt(index));
      return one === undefined ? [] : [[this.#at(index), one] as const];
    });
  }

  #at(index: number): Work {
    const id = this.idAt(index);
    const slot = this.#slots[this.#places[index] ?? -1];
    const from = slot && this.#sourceOf(slot, id);
    if (!from) throw new RangeError('no such work');
    return { id, slot, from };
  }
}
