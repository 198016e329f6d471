import type { Document, Slot, PluralForm } from '../../formats/format.ts';
import type { MessageRules } from '../../formats/message-rules.ts';
import type { DescribedFormat } from '../../formats/registry.ts';
import type { Framework } from '../../frameworks/registry.ts';
import { comparedSyntax } from '../../text/choice.ts';
import { excessOf, limitOf } from '../../text/length-limit.ts';
import { traitsOf } from '../../text/review/catalogue.ts';
import type { References } from '../../text/review/arguments.ts';
import { reviewPage } from '../../text/review/page.ts';
import type { Remark } from '../../text/review/remark.ts';
import { reviewMessage, reviewTranslation } from '../../text/review/review.ts';
import { isStated, type Syntax } from '../../text/syntax.ts';
import { keyId, pairWith, slotIds } from '../../documents/localization/pairing.ts';
import { isPluralCategory } from '../../text/plural.ts';
import { siblingForm } from './key-state.ts';
import { lastCopies } from './repeated-keys.ts';
import { hasWords } from '../../text/words.ts';

/** A scanned file with its name in findings. */
export interface ReviewedFile {
  readonly document: Document;
  readonly format: DescribedFormat;
  readonly name: string;
  /** Canonical, if known. Otherwise plural categories are not checked. */
  readonly locale: string | undefined;
  readonly framework: Framework;
  /** How the framework reads messages, if it defines that. */
  readonly messages: MessageRules | undefined;
}

/** A remark, and whether the program is certain to read the text this way. */
export type CertainRemark = Remark & { readonly isCertain: boolean };

/**
 * Reviews the texts of a file one by one against their sources: `lint` reports the results, and `status` counts them as
 * invalid.
 *
 * @param source see `originalsOf`
 * @returns a function for a slot of the document and its index
 */
export function textReviewer(
  file: ReviewedFile,
  source: Document | 'none' | undefined,
): (slot: Slot, index: number) => readonly CertainRemark[] {
  const { document, locale, framework, messages } = file;
  const { lint: rules = {} } = framework;
  const originalOf = originalsOf(document, source, locale);
  const { hasNames, hasFlags, isManual } = traitsOf(document.slots);
  const isPage = file.format.isProse === true;
  const isKnown = rules.isCertain ?? messages !== undefined;
  const readAs = messages?.readAs ?? asIs;
  const references = rules.references && referencesTo(source, document, rules.references);
  return (slot, index) => {
    const value = readAs(slot.resolved ?? slot.value);
    if (value === '') return [];
    const { texts, raw, syntax, category, selectors, noted = slot } = originalOf(slot, index);
    // Programs show nothing in place of the text.
    if (value.trim() === '' && texts?.some(hasWords) === true)
      return [{ rule: 'blank-text', detail: 'the translation consists of blanks', isCertain: true }];
    if (isPage) return reviewPage(texts ?? [], value).map((remark) => ({ ...remark, isCertain: true }));
    const isCertain = isKnown || isStated(syntax);
    const options = {
      syntax,
      locale,
      form: category,
      selectors,
      rule: messages?.rule,
      supplied: rules.supplied?.(slot.key, file.name),
      spared: rules.spared?.(slot.key),
      references,
      hasNames: hasNames && messages?.hasNames !== false,
      hasOwnFormat: hasFlags && syntax === 'plain',
      isManual,
      unwrapsElements: rules.unwrapsElements,
      isCertain,
    };
    const found = texts
      ? reviewTranslation(texts.map(readAs), value, options)
      : reviewMessage(value, options);
    // The fault is in the text that the value refers to, so the finding is about that text.
    const isElsewhere =
      found.length > 0 &&
      raw !== undefined &&
      slot.resolved !== undefined &&
      slot.value !== slot.resolved &&
      reviewTranslation([readAs(raw)], readAs(slot.value), options).length === 0;
    const remarks = isElsewhere ? [] : found;
    const isRead = ({ argument }: Remark): boolean =>
      !argument || rules.reads?.(argument.raw, syntax) !== false;
    const judged = remarks.map((one) => ({
      ...one,
      isCertain: isCertain && one.isDoubtful !== true && isRead(one),
    }));
    const limit = texts && limitOf(noted);
    const detail = limit && excessOf(value, limit, syntax);
    return detail === undefined ? judged : [...judged, { rule: 'too-long', detail, isCertain: true }];
  };
}

/** @param pattern see `LintRules` */
function referencesTo(
  source: Document | 'none' | undefined,
  document: Document,
  pattern: RegExp,
): References {
  const { slots } = typeof source === 'object' ? source : document;
  const keys = new Set(slots.map(({ key }) => key.join('.')));
  return {
    includes: (raw) => pattern.test(raw),
    isKnown: (raw) => keys.has(pattern.exec(raw)?.[1] ?? ''),
  };
}

const asIs = (value: string): string => value;

/** The texts with which a value is compared, with their syntax and plural category. */
interface Original {
  /** The texts that the value may translate; undefined to check the value alone. */
  readonly texts: readonly string[] | undefined;
  /** The source text before its references were resolved, if it has any. */
  readonly raw?: string | undefined;
  readonly syntax: Syntax;
  /** The plural category that the value is for. */
  readonly category?: string | undefined;
  /** The arguments that select the message's texts. */
  readonly selectors?: readonly string[] | undefined;
  /** The slot with the developer's notes. */
  readonly noted?: Slot | undefined;
}

/** A program's id instead of a text, as in some catalogues. Its translation is the first actual text. */
const SYMBOL = /^[A-Za-z]\w*(?:[.:_-]\w+)+$/;

/**
 * Finds the source texts of a document's values: the text with the same key in the source or, in a bilingual file whose
 * source has no other text for the entry, the text in the entry itself. Any plural form may translate any form of the
 * source.
 *
 * @param source undefined if the document is a source itself, or its source is unknown
 */
function originalsOf(
  document: Document,
  source: Document | 'none' | undefined,
  locale: string | undefined,
): (slot: Slot, index: number) => Original {
  if (source === 'none')
    return ({ syntax, plural }) => ({ texts: undefined, syntax, category: plural?.category });
  const ids = source && slotIds(document);
  const paired = source && pairWith(source, { locale: locale ?? 'en' });
  const copies = source && lastCopies(source, document);
  const carried = formsOf(document, (slot) => slot.source);
  const originals = source && formsInSource(source);
  const wholes = source && wholesOf(source, document);
  return (slot, index) => {
    const whole = wholes?.(slot);
    if (whole) return whole;
    const { syntax, plural } = slot;
    const id = ids?.[index] ?? '';
    const from = paired?.(slot, copies?.get(id) ?? id);
    const forms = originals?.(slot);
    const isId = slot.source !== undefined && SYMBOL.test(slot.source);
    // Some bilingual sources have keys in place of source texts; others have the text twice.
    const isKey = from !== undefined && from.text !== (isId ? slot.source : from.slot.source);
    if (slot.source !== undefined && !isKey) {
      const category = plural && categoryOf(slot, plural);
      if (isId) return { texts: undefined, syntax, category };
      return { texts: carried(slot)?.texts ?? [slot.source], syntax, category };
    }
    const category = plural?.category ?? forms?.category;
    const texts = forms?.texts ?? from?.forms ?? compared(from && (from.slot.resolved ?? from.text));
    const { value: own, resolved = own } = from?.slot ?? {};
    const raw = plural || own === resolved ? undefined : own;
    const { syntax: written = syntax } = from?.slot ?? {};
    const read = comparedSyntax({ syntax: written, text: from?.text ?? '' }, syntax);
    return { texts, raw, syntax: read, category, noted: from?.slot };
  };
}

/** Empty source texts are not compared, because they do not show what a translation may contain. */
const compared = (text: string | undefined): readonly string[] | undefined =>
  text === undefined || text.trim() === '' ? undefined : [text];

const textOf = ({ value, resolved }: Slot): string | undefined => (resolved ?? value) || undefined;

/**
 * The texts of messages that at least one document splits into pieces. A translation may select by any argument, may
 * have words around or inside its selection, or have no selection.
 */
function wholesOf(source: Document, document: Document): (slot: Slot) => Original | undefined {
  const isPiece = ({ whole }: Slot): boolean => whole !== undefined;
  if (!source.slots.some(isPiece) && !document.slots.some(isPiece)) return () => undefined;
  const messages = new Map<string, { readonly texts: FormTexts; readonly selectors: Set<string> }>();
  for (const slot of source.slots) {
    const id = keyId(slot.whole ?? slot.key);
    const message = messages.get(id) ?? { texts: { all: [], large: [] }, selectors: new Set() };
    messages.set(id, message);
    for (const part of slot.whole ? slot.key : [])
      for (const [, name] of part.matchAll(/\$([A-Za-z][\w-]*)/g)) message.selectors.add(`{$${name}}`);
    const text = textOf(slot);
    if (text !== undefined) addForm(message.texts, slot.plural?.category ?? namedForm(slot), text);
  }
  return (slot) => {
    const message = messages.get(keyId(slot.whole ?? slot.key));
    if (!message) return undefined;
    const category = slot.plural?.category ?? namedForm(slot);
    const texts = textsFor(message.texts, category ?? '');
    return { texts, syntax: slot.syntax, category, selectors: [...message.selectors] };
  };
}

/** The form that the name of a selection's piece states: a single number, or a plural category except `other`. */
function namedForm({ key, whole }: Slot): string | undefined {
  const name = key.at(-1) ?? '';
  if (!whole) return undefined;
  return /^\d+$/.test(name) ? `=${name}` : name !== 'other' && isPluralCategory(name) ? name : undefined;
}

/** A form without a category that translates the singular is for the number 1 (as in Serbian with four forms). */
function categoryOf({ key, source }: Slot, { category }: PluralForm): string {
  return /^\d+$/.test(category) && source === key[1] ? '=1' : category;
}

/** In formats with their own plurals, key names do not form plurals: numbers at the end are usually those of a list. */
function formOf({ key, plural, source }: Slot): PluralForm | undefined {
  if (plural || source !== undefined || /_\d+$/.test(key.at(-1) ?? '')) return plural;
  return siblingForm(key);
}

/** Cached, because a source is compared with translations in all languages. */
const IN_SOURCES = new WeakMap<Document, ReturnType<typeof formsOf>>();

function formsInSource(source: Document): ReturnType<typeof formsOf> {
  let forms = IN_SOURCES.get(source);
  if (!forms) IN_SOURCES.set(source, (forms = formsOf(source, textOf)));
  return forms;
}

interface Forms {
  readonly texts: readonly string[];
  readonly category: string;
}

/** A source's form for numbers so small that it may omit the number. */
const SMALL = /^(?:zero|one|two|=.*)$/;

interface FormTexts {
  readonly all: string[];
  readonly large: string[];
}

function addForm({ all, large }: FormTexts, category: string | undefined, text: string): void {
  all.push(text);
  if (!SMALL.test(category ?? '')) large.push(text);
}

/** A form for many numbers does not translate "one file". */
function textsFor({ all, large }: FormTexts, category: string): readonly string[] {
  return !SMALL.test(category) && large.length > 0 ? large : all;
}

/**
 * The texts of the forms that a slot may translate: those of its plural in the format or, if adjacent keys form a
 * plural by their names (i18next, Rails), of those that include `other`.
 */
function formsOf(
  { slots }: Document,
  textIn: (slot: Slot) => string | undefined,
): (slot: Slot) => Forms | undefined {
  const groups = new Map<string, FormTexts>();
  const complete = new Set<string>();
  for (const slot of slots) {
    const form = formOf(slot);
    const text = form && textIn(slot);
    if (!form || text === undefined) continue;
    const id = keyId(form.group);
    const texts = groups.get(id) ?? { all: [], large: [] };
    groups.set(id, texts);
    addForm(texts, form.category, text);
    if (slot.plural || form.category === 'other') complete.add(id);
  }
  return (slot) => {
    const form = formOf(slot);
    const id = form && keyId(form.group);
    const texts = id === undefined || !complete.has(id) ? undefined : groups.get(id);
    if (!form || !texts) return undefined;
    return { texts: textsFor(texts, form.category), category: form.category };
  };
}
