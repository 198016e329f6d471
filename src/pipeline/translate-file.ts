import { DragomanError } from '../base/errors.ts';
import { positionsIn, type Position } from '../base/span.ts';
import type { RequiredTerm } from '../engines/engine.ts';
import type { Document, Key, Slot } from '../formats/format.ts';
import { parseLocale, sameLocale } from '../languages/locale.ts';
import { readAsTemplate } from './carried-source.ts';
import type { OpenFile } from './open-file.ts';
import { pairWith, slotIds, type SlotId, type SourceText } from './pairing.ts';
import { translatePortions } from './portions.ts';
import type { SegmentContext } from './segments.ts';
import { makeSkeleton, type TargetInput, type TargetLocale } from './target.ts';
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
  /** The charset that the source is in, where the result is in UTF-8 because of `toUtf8`. */
  readonly convertedFrom?: string | undefined;
}

/**
 * Translates a whole localization file (specification: `POST /v2/translate/i18n`): every key, PO entries from their
 * msgid. Same format, structure and encoding; a key that fails keeps its source text and is reported. A PO file that is
 * a translation into the target already keeps its translations and gets those that it lacks.
 *
 * @throws DragomanError `engine_unavailable`, `interrupted`, `integrity`.
 */
export async function translateFile(
  file: OpenFile,
  target: TargetLocale,
  { toUtf8, ...context }: Omit<SegmentContext, 'target'> & Pick<TargetInput, 'toUtf8'>,
): Promise<TranslatedFile> {
  const { template, skeleton, existing } = prepare(file, target, context.source);
  const all = findWorks(template.document, skeleton, target.locale);
  const works = existing ? withoutTranslation(all, existing.document) : all;
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
  const built = buildWholePlurals({ source: template, skeleton, existing, ...target, values, toUtf8 });
  for (const [id, error] of built.rejected) reasons.set(id, error.message);
  const positionOf = positionsIn(file.document.text);
  const failed = works
    .filter((work) => reasons.has(work.id))
    .map((work) => failedKey(work, positionOf, reasons.get(work.id) ?? ''));
  const lacking = works.flatMap(({ id, slot, from }) => {
    if (reasons.has(id)) return [];
    const position = positionOf(from.slot.span.start);
    return (missing.get(id) ?? []).map((term) => ({ key: slot.key, position, ...term }));
  });
  const translated = all.length - failed.length;
  const { bytes, convertedFrom } = built;
  return { bytes, translated, failed, lacking, convertedFrom };
}

/** Every key that {@link translateFile} would translate, as failed for one reason: no engine has the languages. */
export function failAllKeys(file: OpenFile, target: TargetLocale, reason: string): readonly FailedKey[] {
  // The language of the sources says how many forms they have, but these are not listed.
  const { template, skeleton, existing } = prepare(file, target, 'en');
  const works = findWorks(template.document, skeleton, target.locale);
  const positionOf = positionsIn(file.document.text);
  return (existing ? withoutTranslation(works, existing.document) : works).map((work) =>
    failedKey(work, positionOf, reason),
  );
}

interface Prepared {
  /** What is translated. */
  readonly template: OpenFile;
  readonly skeleton: Document;
  /** What is translated into; undefined: a new file. */
  readonly existing: OpenFile | undefined;
}

/** @param language of the source texts */
function prepare(file: OpenFile, target: TargetLocale, language: string): Prepared {
  const { format, scanOptions, document } = file;
  if (!isTranslationInto(file, target.locale))
    return { template: file, skeleton: makeSkeleton(file, target), existing: undefined };
  const options = { ...scanOptions, locale: target.locale };
  const existing = { ...file, scanOptions: options, document: format.scan(document.text, options) };
  const template = readAsTemplate(file, language);
  return { template, skeleton: makeSkeleton(template, target, existing.document), existing };
}

/** Whether a file that carries its source texts names the target as the language of its translations. */
function isTranslationInto({ document }: OpenFile, locale: string): boolean {
  if (document.locale === undefined || document.slots[0]?.source === undefined) return false;
  const own = parseLocale(document.locale);
  return own !== undefined && sameLocale(own, locale);
}

function withoutTranslation(works: readonly Work[], existing: Document): readonly Work[] {
  const ids = slotIds(existing);
  const translated = new Set(
    existing.slots.flatMap(({ value, provisional }, i) =>
      value !== '' && provisional !== true ? [ids[i] ?? ''] : [],
    ),
  );
  return works.filter(({ id }) => !translated.has(id));
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
