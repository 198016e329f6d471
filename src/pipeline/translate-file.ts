import { DragomanError } from '../base/errors.ts';
import { positionsIn, type Position } from '../base/span.ts';
import type { Document, Key, Slot } from '../formats/format.ts';
import type { OpenFile } from './open-file.ts';
import { pairWith, slotIds, type SlotId } from './pairing.ts';
import type { SegmentContext } from './segments.ts';
import { makeSkeleton, type TargetLocale } from './target.ts';
import type { Unit } from './unit.ts';
import { translateUnits } from './units.ts';
import { buildWholePlurals } from './whole-plurals.ts';

export interface FailedKey {
  readonly key: Key;
  /** The key of the plural message that it is a form of; else the key itself. */
  readonly message: Key;
  /** Where the value stands in the source file. */
  readonly position: Position;
  readonly reason: string;
}

export interface TranslatedFile {
  readonly bytes: Uint8Array;
  readonly document: Document;
  /** Slots of the result that hold a translation now. */
  readonly translated: number;
  readonly failed: readonly FailedKey[];
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
  const sourceOf = pairWith(source.document, { locale: target.locale, preferCarriedSource: true });
  const ids = slotIds(skeleton);
  const works: { readonly id: SlotId; readonly slot: Slot; readonly offset: number; readonly unit: Unit }[] =
    [];
  for (const [i, slot] of skeleton.slots.entries()) {
    const id = ids[i] ?? '';
    const from = sourceOf(slot, id);
    if (!from || from.text === '') continue;
    const unit: Unit = { value: from.text, syntax: slot.syntax, forms: from.forms };
    works.push({ id, slot, offset: from.slot.span.start, unit });
  }
  const outcomes = await translateUnits(
    works.map((work) => work.unit),
    { ...context, target: target.locale },
  );
  if (context.signal.aborted) throw new DragomanError('interrupted', 'the translation was interrupted');
  const values = new Map<SlotId, string>();
  const reasons = new Map<SlotId, string>();
  for (const [i, { id }] of works.entries()) {
    const outcome = outcomes[i];
    if (outcome && 'value' in outcome) values.set(id, outcome.value);
    else reasons.set(id, outcome?.failure ?? 'no outcome');
  }
  const built = buildWholePlurals({ source, skeleton, existing: undefined, ...target, values });
  for (const [id, error] of built.rejected) reasons.set(id, error.message);
  const positionOf = positionsIn(source.document.text);
  const failed = works
    .filter((work) => reasons.has(work.id))
    .map(({ id, slot, offset }) => ({
      key: slot.key,
      message: slot.plural?.group ?? slot.key,
      position: positionOf(offset),
      reason: reasons.get(id) ?? '',
    }));
  return { bytes: built.bytes, document: built.document, translated: works.length - failed.length, failed };
}
