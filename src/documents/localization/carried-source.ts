import { insertMissing } from './insertion.ts';
import { keyId, slotIds } from './pairing.ts';
import { hasNoOtherKeys, openBytes, type OpenFile, readGoneKeys } from './open-file.ts';
import { removeMost, restructure } from './restructure.ts';
import { makeSkeleton } from './target.ts';
import { DragomanError } from '../../base/errors.ts';
import { deriveDocument } from '../../formats/document.ts';
import type { Edit, Span } from '../../base/span.ts';
import type { Document, Key, PluralForm, ReviewCause, Slot, TranslationState } from '../../formats/format.ts';
import type { BranchRule } from '../../text/choice.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import type { Syntax } from '../../text/syntax.ts';

/**
 * Reads a translation that contains its source texts (PO: msgid) as its template: the slots have the source language's
 * texts and no translations, at their places in the file.
 *
 * @param locale of the source texts, canonical
 * @param keysAreTexts the file's keys are its source texts, which become the values
 */
export function readAsTemplate(file: OpenFile, locale: string, keysAreTexts = false): OpenFile {
  const skeleton = makeSkeleton(file, { locale, spelling: locale });
  if (!keysAreTexts) return withTemplate(file, skeleton);
  const ofTexts = removeMost(
    file,
    skeleton,
    skeleton.slots.filter(isName).map(({ key }) => key),
    locale,
  ).document;
  const written = restructure(
    file,
    ofTexts,
    () => ofTexts.slots.map((slot) => ({ span: slot.span, text: slot.encode(keyText(slot)) })),
    locale,
  );
  return withTemplate(file, written, true);
}

/** The source text in a key. The keys of plural forms have an ending. */
function keyText({ key, plural }: Slot): string {
  return plural?.entry?.stem ?? key.at(-1) ?? '';
}

/** Whether a key among texts is a name: `auth.failed`. */
function isName(slot: Slot): boolean {
  return slot.key.length > 1 || /^[\w-]*(?:[._:][\w-]+)+$/.test(keyText(slot));
}

/** A translation that contains its source texts. */
export interface Catalogue {
  readonly path: string;
  /** When its messages were extracted from the program, in milliseconds; `-Infinity` if unknown. */
  readonly date: number;
  /** @throws DragomanError */
  readonly read: () => Uint8Array;
}

/** Options for reading catalogues, and the canonical language of their sources. */
type CatalogueOptions = Parameters<typeof hasNoOtherKeys>[1] & {
  readonly locale: string;
  readonly keysAreTexts?: boolean | undefined;
};

/**
 * Adds messages of other catalogues that a template lacks, except those that the program no longer uses.
 *
 * @param date that of the template's catalogue
 * @param catalogues the newest first; unreadable ones are skipped
 */
export async function joinCatalogues(
  file: OpenFile,
  catalogues: readonly Catalogue[],
  { locale, date, keysAreTexts, ...reading }: CatalogueOptions & Pick<Catalogue, 'date'>,
): Promise<OpenFile> {
  let template = file.template ?? file.document;
  const known = new Set(template.slots.map(messageOf));
  // A plural form's key ends with its category.
  const isKnown = (key: Key): boolean => known.has(keyId(key)) || known.has(keyId(key.slice(0, -1)));
  const newer = new NewerCatalogues(file, date, known.size);
  for (const catalogue of catalogues) {
    const other = await openOthers(catalogue, reading, isKnown);
    if (!other) continue;
    const source = readAsTemplate(other, locale, keysAreTexts);
    const skeleton = source.template ?? source.document;
    const ids = slotIds(skeleton);
    const own = new Set(skeleton.slots.map(messageOf));
    const lone = [...own].filter((id) => !known.has(id)).length;
    const isGone = await newer.goneIn(catalogue.date, lone, () => marksOf(catalogues, reading));
    const isWanted = (slot: Slot): boolean => !known.has(messageOf(slot)) && !isGone(messageOf(slot));
    const wanted = new Map(skeleton.slots.flatMap((slot, i) => (isWanted(slot) ? [[ids[i] ?? '', '']] : [])));
    newer.add(catalogue.date, own.size);
    if (wanted.size === 0) continue;
    for (const slot of skeleton.slots) if (isWanted(slot)) known.add(messageOf(slot));
    const refused = new Map<string, DragomanError>();
    template = insertMissing({ source, skeleton, existing: file, target: template, wanted, locale }, refused);
  }
  return template === file.template ? file : withTemplate(file, template, keysAreTexts);
}

/** The messages that a catalogue marks obsolete. */
interface Marks extends Pick<Catalogue, 'date'> {
  readonly gone: ReadonlySet<string>;
}

function marksOf(
  catalogues: readonly Catalogue[],
  reading: Parameters<typeof readGoneKeys>[1],
): Promise<readonly Marks[]> {
  const read = async ({ date, read }: Catalogue): Promise<Marks> => ({
    date,
    gone: new Set((await readGoneKeys(read, reading)).map(keyId)),
  });
  return Promise.all(catalogues.map(read));
}

/** The evidence of newer catalogues about messages of an older one. */
class NewerCatalogues {
  readonly #seen: { readonly date: number; readonly count: number }[] = [];
  readonly #own: Marks;
  #marks: readonly Marks[] | undefined;

  constructor({ format, document: { text } }: OpenFile, date: number, count: number) {
    this.#own = { date, gone: new Set((format.goneKeys?.(text) ?? []).map(keyId)) };
    this.add(date, count);
  }

  add(date: number, count: number): void {
    this.#seen.push({ date, count });
  }

  /**
   * Whether the program no longer uses a message that only a catalogue of this date has: newer catalogues mark it
   * obsolete or lack it. A single newer catalogue with at most half as many messages may cover only a part of the
   * program; three with more than a quarter each do not. Messages in both do not count: a catalogue has them once they
   * are translated.
   *
   * @param lone number of messages that only that catalogue has
   * @param readMarks reads what the other catalogues mark; called at most once
   */
  async goneIn(
    date: number,
    lone: number,
    readMarks: () => Promise<readonly Marks[]>,
  ): Promise<(id: string) => boolean> {
    const newer = this.#seen.filter((other) => other.date > date && other.count * 4 > lone);
    if (newer.length > 2 || newer.some(({ count }) => count * 2 > lone)) return () => true;
    this.#marks ??= [this.#own, ...(await readMarks())];
    const marks = this.#marks.filter((other) => other.date >= date);
    return (id) => marks.some(({ gone }) => gone.has(id));
  }
}

/** Undefined for a catalogue that is unreadable or has no unknown keys. */
async function openOthers(
  { path, read }: Catalogue,
  reading: Omit<CatalogueOptions, 'locale' | 'keysAreTexts'>,
  isKnown: (key: Key) => boolean,
): Promise<OpenFile | undefined> {
  try {
    const bytes = read();
    return (await hasNoOtherKeys(bytes, reading, isKnown))
      ? undefined
      : await openBytes(bytes, path, reading);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

const messageOf = ({ key, plural }: Slot): string => keyId(plural?.group ?? key);

function withTemplate(file: OpenFile, template: Document, keysAreTexts = false): OpenFile {
  const { text } = file.document;
  // A message from another file has no place in this one.
  const end = { span: { start: text.length, end: text.length } };
  const places = new Map(file.document.slots.map((slot) => [messageOf(slot), slot]));
  const slots = template.slots.map((slot) => {
    const value = keysAreTexts ? slot.value : '';
    return new TemplateSlot(slot, value, places.get(messageOf(slot)) ?? end);
  });
  return { ...file, document: deriveDocument(file.document, { slots }), template };
}

/** A slot of the template at its place in the file. It has a value only if its key is the text. */
class TemplateSlot implements Slot {
  readonly value: string;
  readonly #slot: Slot;
  readonly #place: Pick<Slot, 'span'>;

  constructor(slot: Slot, value: string, place: Pick<Slot, 'span'>) {
    this.value = value;
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

  get rule(): BranchRule | undefined {
    return this.#slot.rule;
  }

  get comment(): string | undefined {
    return this.#slot.comment;
  }

  get limit(): LengthLimit | undefined {
    return this.#slot.limit;
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

  get companions(): readonly Edit[] | undefined {
    return this.#slot.companions;
  }

  marking(cause: ReviewCause): readonly Edit[] | undefined {
    return this.#slot.marking?.(cause);
  }

  encode(value: string, syntax?: Syntax, review?: ReviewCause): string {
    return this.#slot.encode(value, syntax, review);
  }
}
