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
  const works = findWorks(source.document, skeleton, target.locale);
  const values = new Map<SlotId, string>();
  const reasons = new Map<SlotId, string>();
  const missing = new Map<SlotId, readonly RequiredTerm[]>();
  await translatePortions(
    works.length,
    (i) => unitOf(works, i),
    (i, outcome) => {
      const id = works[i]?.id ?? '';
      if ('failure' in outcome) reasons.set(id, outcome.failure);
      else {
        values.set(id, outcome.value);
        if (outcome.missingTerms) missing.set(id, outcome.missingTerms);
      }
    },
    { ...context, target: target.locale },
  );
  if (context.signal.aborted) throw new DragomanError('interrupted', 'the translation was interrupted');
  const built = buildWholePlurals({ source, skeleton, existing: undefined, ...target, values });
  for (const [id, error] of built.rejected) reasons.set(id, error.message);
  const positionOf = positionsIn(source.document.text);
  const failed = works
    .filter((work) => reasons.has(work.id))
    .map((work) => failedKey(work, positionOf, reasons.get(work.id) ?? ''));
  const lacking = works.flatMap(({ id, slot, from }) => {
    if (reasons.has(id)) return [];
    const position = positionOf(from.slot.span.start);
    return (missing.get(id) ?? []).map((term) => ({ key: slot.key, position, ...term }));
  });
  const translated = works.length - failed.length;
  return { bytes: built.bytes, translated, failed, lacking };
}

/** Every key that {@link translateFile} would translate, as failed for one reason: no engine has the languages. */
export function failAllKeys(source: OpenFile, target: TargetLocale, reason: string): readonly FailedKey[] {
  const { document } = source;
  const positionOf = positionsIn(document.text);
  return findWorks(document, makeSkeleton(source, target), target.locale).map((work) =>
    failedKey(work, positionOf, reason),
  );
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

function findWorks(source: Document, skeleton: Document, locale: string): readonly Work[] {
  const sourceOf = pairWith(source, { locale, preferCarriedSource: true });
  const ids = slotIds(skeleton);
  const works: Work[] = [];
  for (const [i, slot] of skeleton.slots.entries()) {
    const id = ids[i] ?? '';
    const from = sourceOf(slot, id);
    if (from && from.text !== '') works.push({ id, slot, from });
  }
  return works;
}

function unitOf(works: readonly Work[], index: number): Unit {
  const work = works[index];
  if (!work) throw new RangeError('no such work');
  const { slot, from } = work;
  const neighbours = [works[index - 1], works[index + 1]].flatMap((other) => other?.from.text ?? []);
  const { comment } = from.slot;
  const context = { key: slot.key, category: slot.plural?.category, comment, neighbours };
  return { value: from.text, syntax: slot.syntax, forms: from.forms, context };
}
