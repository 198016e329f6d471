import { basename } from 'node:path';
import { throwIfAborted } from '../../base/interruption.ts';
import { type Position, positionsIn } from '../../base/span.ts';
import type { RequiredTerm } from '../../engines/engine.ts';
import { type Document, isGuess, type Key, type ReviewCause, type Slot } from '../../formats/format.ts';
import { knownText } from '../../formats/registry.ts';
import { parseLocale, sameLocale } from '../../languages/locale.ts';
import { limitOf } from '../../text/length-limit.ts';
import { codeOfFailure, type SegmentContext, type Unit } from '../../pipeline/unit.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { translateChunks } from '../../pipeline/units.ts';
import type { DocumentKind } from '../kind.ts';
import { answersIn } from './answer.ts';
import { readAsTemplate } from './carried-source.ts';
import type { OpenFile } from './open-file.ts';
import { keyId, pairWith, type SlotId, slotIds, type SourceText } from './pairing.ts';
import { makeSkeleton, type TargetInput, type TargetLocale } from './target.ts';
import { buildWholePlurals } from './whole-plurals.ts';

interface FileContext extends Omit<SegmentContext, 'target'>, Pick<TargetInput, 'toUtf8'> {
  readonly locale: TargetLocale;
  /** A service's answer for the whole file: only verified values are used. */
  readonly answer?: Document | undefined;
}

export interface FailedKey {
  readonly key: Key;
  /** The text that identifies the key for people, if the format generates the key. */
  readonly text?: string | undefined;
  /** The key of its plural message, or the key itself. */
  readonly message: Key;
  /** The place of the value in the source file. */
  readonly position: Position;
  readonly reason: string;
  /** The error code of the request, if the request failed. */
  readonly code?: ErrorCode | undefined;
}

/** A glossary term that a translation lacks. */
interface LackingKey extends RequiredTerm {
  readonly key: Key;
  /** See {@link FailedKey}. */
  readonly text?: string | undefined;
  /** The place of the value in the source file. */
  readonly position: Position;
}

export interface TranslatedFile {
  readonly bytes: Uint8Array;
  /** Slots of the result that have a translation. */
  readonly translated: number;
  readonly failed: readonly FailedKey[];
  readonly lacking: readonly LackingKey[];
  /** Whether `stop` has aborted. Texts not translated by then have failed, and `bytes` is empty. */
  readonly isStopped: boolean;
  /** The source's charset, if the result is in UTF-8 because of `toUtf8`. */
  readonly convertedFrom?: string | undefined;
}

/**
 * Translates a whole localization file (specification: `POST /v2/translate/i18n`): every key; in bilingual files from
 * the sources in them. If a bilingual file translates a language into itself, its sources are keys and its translations
 * are the texts. Keeps format, structure and encoding; a key that fails keeps its source text and is reported. A
 * bilingual file that already translates into the target, and a multilingual file, keep their translations and get the
 * missing ones.
 *
 * @throws DragomanError `engine_unavailable`, `interrupted`, `integrity`
 */
export async function translateFile(
  file: OpenFile,
  target: TargetLocale,
  { toUtf8, answer, ...context }: Omit<FileContext, 'locale'>,
): Promise<TranslatedFile> {
  const { template, skeleton, existing } = prepare(file, target, context.source);
  const texts = new FileTexts(template, skeleton, target.locale, existing?.document, answer);
  const values = new Map<SlotId, string>();
  const reasons = new Map<SlotId, Pick<FailedKey, 'reason' | 'code'>>();
  const missing = new Map<SlotId, readonly RequiredTerm[]>();
  await translateChunks(
    texts.count,
    (i) => texts.unitAt(i),
    (i, outcome) => {
      const id = texts.idAt(i);
      if ('failure' in outcome) reasons.set(id, { reason: outcome.failure, code: codeOfFailure(outcome) });
      else {
        values.set(id, outcome.value);
        if (outcome.missingTerms) missing.set(id, outcome.missingTerms);
      }
    },
    { ...context, target: target.locale },
  );
  throwIfAborted(context.signal);
  const positionOf = positionsIn(file.document.text);
  const failedKeys = (): readonly FailedKey[] =>
    texts.with(reasons).map(([text, reason]) => failedKey(text, file, positionOf, reason));
  if (context.stop?.aborted === true) {
    const failed = failedKeys();
    const translated = texts.count + texts.kept - failed.length;
    return { bytes: new Uint8Array(), translated, failed, lacking: [], isStopped: true };
  }
  const { bytes, rejected, convertedFrom } = buildWholePlurals({
    source: template,
    skeleton,
    existing,
    values,
    marked: existing && besideDrafts(skeleton, existing.document, values),
    toUtf8,
    ...target,
  });
  for (const [id, error] of rejected) reasons.set(id, { reason: error.message });
  const failed = failedKeys();
  const lacking = texts.with(missing).flatMap(([{ id, slot, from }, terms]) => {
    if (reasons.has(id)) return [];
    const position = positionOf(from.slot.span.start);
    return terms.map((term) => ({
      key: slot.key,
      ...knownText(file.format, from.text),
      position,
      ...term,
    }));
  });
  const translated = texts.count + texts.kept - failed.length;
  return { bytes, translated, failed, lacking, isStopped: false, convertedFrom };
}

/**
 * Every key that {@link translateFile} would translate, as a failure with the same reason: no engine supports the
 * languages.
 */
export function failAllKeys(file: OpenFile, target: TargetLocale, reason: string): readonly FailedKey[] {
  // The source language only affects the number of forms, which are not listed.
  const { template, skeleton, existing } = prepare(file, target, 'en');
  const texts = new FileTexts(template, skeleton, target.locale, existing?.document);
  const positionOf = positionsIn(file.document.text);
  return texts.all().map((text) => failedKey(text, file, positionOf, { reason }));
}

interface PreparedFile {
  /** The texts to translate. */
  readonly template: OpenFile;
  readonly skeleton: Document;
  /** The existing file to complete; undefined for a new file. */
  readonly existing: OpenFile | undefined;
}

/** @param language of the source texts */
function prepare(file: OpenFile, target: TargetLocale, language: string): PreparedFile {
  const { format, scanOptions, document } = file;
  if (!format.multilingual && !isTranslationInto(file, target.locale))
    return { template: file, skeleton: makeSkeleton(file, target), existing: undefined };
  const options = { ...scanOptions, locale: target.locale };
  // A scan with the known language would find the same slots.
  const isKnown = !format.multilingual && (scanOptions.locale ?? document.locale) === target.locale;
  const scanned = isKnown ? document : format.scan(document.text, options);
  const existing = { ...file, scanOptions: options, document: scanned };
  const template = format.multilingual ? file : readAsTemplate(file, language);
  return { template, skeleton: makeSkeleton(template, target, existing.document), existing };
}

/**
 * Whether a bilingual file translates a language into itself, so that its sources are keys. The name of Symfony's
 * `messages.en.xlf` shows this.
 */
function hasTextsOfItsOwn(path: string, { locale, sourceLocale }: Document): boolean {
  const from = sourceLocale === undefined ? undefined : parseLocale(sourceLocale);
  if (from === undefined) return false;
  const spellings = locale === undefined ? basename(path).split('.').slice(1, -1) : [locale];
  return spellings.some((spelling) => {
    const own = parseLocale(spelling);
    return own !== undefined && sameLocale(own, from);
  });
}

/** Whether a file with source texts names the target as the language of its translations. */
function isTranslationInto({ document }: OpenFile, locale: string): boolean {
  if (document.locale === undefined || document.slots[0]?.source === undefined) return false;
  const own = parseLocale(document.locale);
  return own !== undefined && sameLocale(own, locale);
}

function translatedIn(document: Document, source: Document): ReadonlySet<SlotId> {
  const ids = slotIds(document, source);
  return new Set(
    document.slots.flatMap((slot, i) => (slot.value !== '' && !isGuess(slot) ? [ids[i] ?? ''] : [])),
  );
}

/** The values of plurals that have a form in review: in PO the mark applies to the whole message. */
function besideDrafts(
  skeleton: Document,
  existing: Document,
  values: ReadonlyMap<SlotId, string>,
): ReadonlyMap<SlotId, ReviewCause> {
  const drafts = new Set(
    existing.slots.flatMap((slot) =>
      slot.plural && slot.review && !isGuess(slot) ? [keyId(slot.plural.group)] : [],
    ),
  );
  if (drafts.size === 0) return new Map();
  const ids = slotIds(skeleton);
  return new Map(
    skeleton.slots.flatMap(({ plural }, i): [SlotId, ReviewCause][] => {
      const id = ids[i] ?? '';
      return plural && values.has(id) && drafts.has(keyId(plural.group)) ? [[id, 'other']] : [];
    }),
  );
}

function failedKey(
  { slot, from }: FileText,
  file: OpenFile,
  positionOf: ReturnType<typeof positionsIn>,
  why: Pick<FailedKey, 'reason' | 'code'>,
): FailedKey {
  return {
    key: slot.key,
    ...knownText(file.format, from.text),
    message: slot.plural?.entry ? from.slot.key : (slot.plural?.group ?? slot.key),
    position: positionOf(from.slot.span.start),
    ...why,
  };
}

/** A slot of the skeleton whose source has a text. */
interface FileText {
  readonly id: SlotId;
  readonly slot: Slot;
  readonly from: SourceText;
}

/** The texts of a file, created one by one: all together would take more memory than the file. */
class FileTexts {
  readonly #slots: readonly Slot[];
  readonly #ids: readonly SlotId[];
  readonly #sourceOf: ReturnType<typeof pairWith>;
  readonly #answerTo: ReturnType<typeof answersIn> | undefined;
  /** The indexes of slots whose source has a text. */
  readonly #places: number[] = [];
  readonly #texts: string[] = [];
  /** Slots that already have a translation. */
  readonly kept: number;

  constructor(
    { path, document: source }: OpenFile,
    skeleton: Document,
    locale: string,
    existing: Document | undefined,
    answer?: Document,
  ) {
    this.#answerTo = answer && answersIn(answer, locale);
    const translated = existing && translatedIn(existing, source);
    let kept = 0;
    this.#slots = skeleton.slots;
    this.#ids = slotIds(skeleton, source);
    const preferCarriedSource = !hasTextsOfItsOwn(path, source);
    this.#sourceOf = pairWith(source, { locale, preferCarriedSource }, skeleton);
    for (const [place, slot] of skeleton.slots.entries()) {
      const text = this.#sourceOf(slot, this.#ids[place] ?? '')?.text ?? '';
      if (text === '') continue;
      if (translated?.has(this.#ids[place] ?? '') === true) {
        kept++;
        continue;
      }
      this.#places.push(place);
      this.#texts.push(text);
    }
    this.kept = kept;
  }

  get count(): number {
    return this.#places.length;
  }

  idAt(index: number): SlotId {
    return this.#ids[this.#places[index] ?? -1] ?? '';
  }

  unitAt(index: number): Unit {
    const { id, slot, from } = this.#at(index);
    const neighbours = [this.#texts[index - 1], this.#texts[index + 1]].filter((text) => text !== undefined);
    const { comment } = from.slot;
    const limit = limitOf(from.slot);
    const context = { key: slot.key, category: slot.plural?.category, comment, limit, neighbours };
    const answer = this.#answerTo?.(slot, id);
    return { value: from.text, syntax: slot.syntax, rule: slot.rule, forms: from.forms, context, answer };
  }

  all(): readonly FileText[] {
    return this.#places.map((_, index) => this.#at(index));
  }

  /** The texts with findings, in file order. */
  with<T>(found: ReadonlyMap<SlotId, T>): readonly (readonly [FileText, T])[] {
    if (found.size === 0) return [];
    return this.#places.flatMap((_, index) => {
      const one = found.get(this.idAt(index));
      return one === undefined ? [] : [[this.#at(index), one] as const];
    });
  }

  #at(index: number): FileText {
    const id = this.idAt(index);
    const slot = this.#slots[this.#places[index] ?? -1];
    const from = slot && this.#sourceOf(slot, id);
    if (!from) throw new RangeError('no such text');
    return { id, slot, from };
  }
}

export const LOCALIZATION_FILES: DocumentKind<OpenFile, FileContext, TranslatedFile> = {
  textsOf({ path, document }) {
    const hasOwn = hasTextsOfItsOwn(path, document);
    return document.slots.map(({ source, value }) => (hasOwn && value !== '' ? value : (source ?? value)));
  },

  /**
   * ARB's `@@locale`, the root key of a Rails file, `xml:lang` or `tools:locale` in XML. In a bilingual file this is
   * the target language; some formats also name the source language.
   */
  languageOf({ format, document }) {
    const spelling = format.bilingual ? document.sourceLocale : document.locale;
    return spelling === undefined ? undefined : parseLocale(spelling);
  },
  translate: (file, { locale, ...context }) => translateFile(file, locale, context),
};
