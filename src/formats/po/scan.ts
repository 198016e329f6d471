import { DragomanError } from '../../base/errors.ts';
import type { Edit } from '../../base/span.ts';
import { makeDocument } from '../document.ts';
import type {
  Document,
  DocumentWarning,
  Entry,
  Key,
  PluralForm,
  ReviewMark,
  ScanOptions,
  Slot,
  TranslationState,
} from '../format.ts';
import {
  type PoForm,
  type CatalogLayout,
  type CatalogMessage,
  holdsText,
  isLive,
  readCatalog,
  messageKey,
  readMessages,
  type Catalog,
} from './catalog.ts';
import { lineEndOf } from '../lines.ts';
import { TextSlot, type TextWriter } from '../text-slot.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import { quotePo } from './encode.ts';
import {
  extractedComment,
  flagsOf,
  fuzzyEdits,
  messageSpan,
  previousMessage,
  removeFuzzyEdits,
  syntaxOf,
} from './flags.ts';
import { findHeader, languageIn, type Header } from './header.ts';
import { type FormNaming, nameForms } from './plural-categories.ts';
import { pluralRuleOf } from './plural-forms.ts';
import { doubleTrailBytes } from './tokens.ts';

/** Values that the slots of a file share. */
interface FileFields extends Pick<ScanOptions, 'messages'> {
  readonly naming: FormNaming;
  readonly writer: TextWriter<number>;
}

/** Adds one slot for each `msgstr` of a message. */
function addSlots(slots: Slot[], message: CatalogMessage, { naming, writer, messages }: FileFields): void {
  const { text } = writer;
  const { comments, id, plural } = message;
  const flags = flagsOf(text, message);
  const isFuzzy = flags.has('fuzzy');
  const previous = isFuzzy ? previousMessage(text, message) : undefined;
  const key = messageKey(message);
  const shared: SharedFields = {
    writer,
    start: message.span.start,
    idStart: id.span.start,
    syntax: syntaxOf(flags) ?? messages?.syntaxOf(id.value, key) ?? 'plain',
    comment: comments.length > 0 ? extractedComment(text, message) : undefined,
    limit: limitOf(flags),
    review: previous ? { takenFrom: previous.key } : isFuzzy ? DRAFT : undefined,
    companions: comments.length > 0 ? nonEmpty(removeFuzzyEdits(text, message)) : undefined,
  };
  if (!plural) {
    for (const form of message.forms) slots.push(new PoSlot(shared, form, key, id.value, undefined));
    return;
  }
  const fieldsOf = (category: string): SharedFields =>
    previous?.isPlural ? { ...shared, review: { takenFrom: previous.key.concat(category) } } : shared;
  const sources = [id.value, plural.value] as const;
  for (const form of message.forms) {
    const category = naming.categoryOf(form.index);
    const source = naming.sourceOf(form.index, ...sources);
    const plural = { group: key, category, sources };
    slots.push(new PoSlot(fieldsOf(category), form, key.concat(category), source, plural));
  }
}

/** The limit in Weblate's flag. */
function limitOf(flags: ReadonlySet<string>): LengthLimit | undefined {
  for (const flag of flags) {
    const [, max] = /^max-length:(\d{1,6})$/.exec(flag) ?? [];
    if (max !== undefined) return { max: Number(max), unit: 'characters' };
  }
  return undefined;
}

const DRAFT: ReviewMark = {};

function nonEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** Values that the slots of a message share. */
interface SharedFields extends Pick<Slot, 'syntax' | 'comment' | 'limit' | 'review' | 'companions'> {
  readonly writer: TextWriter<number>;
  /** Offset of the first keyword. */
  readonly start: number;
  readonly idStart: number;
}

class PoSlot extends TextSlot<number> {
  readonly source: string;
  readonly review: ReviewMark | undefined;
  readonly companions: readonly Edit[] | undefined;
  declare limit?: LengthLimit;
  readonly #text: string;
  readonly #messageStart: number;

  constructor(
    { writer, start, idStart, syntax, comment, limit, review, companions }: SharedFields,
    { literal: { value, span } }: PoForm,
    key: Key,
    source: string,
    plural: PluralForm | undefined,
  ) {
    super(writer, { key, value, span, syntax, comment, plural }, idStart);
    this.source = source;
    this.review = value === '' ? undefined : review;
    this.companions = companions;
    if (limit) this.limit = limit;
    this.#text = writer.text;
    this.#messageStart = start;
  }

  /** Every text that is neither empty nor fuzzy is translated; gettext does not record approval. */
  get state(): TranslationState {
    return this.value === '' || this.review ? 'initial' : 'translated';
  }

  marking(): readonly Edit[] {
    return fuzzyEdits(this.#text, this.#messageStart, lineEndOf(this.#text));
  }
}

/** @param layoutOf available after the whole file is read */
function writerOf(
  text: string,
  encodable: ScanOptions['encodable'],
  layoutOf: () => CatalogLayout,
): TextWriter<number> {
  return {
    text,
    write: (value, _raw, idStart, { start }) => {
      const { newline, wraps, doublesTrailBytes } = layoutOf();
      if (encodable?.(value) === false) {
        const message = 'the charset of the file lacks some of these characters: --to-utf8 converts the file';
        throw new DragomanError('unencodable_value', message);
      }
      const column = start - (text.lastIndexOf('\n', start - 1) + 1);
      // A new text gets the layout of its msgid.
      const indentation = continuationIndent(text, start) ?? continuationIndent(text, idStart) ?? '';
      const quoted = quotePo(value, { newline, indentation, column, wraps });
      return doublesTrailBytes ? doubleTrailBytes(quoted) : quoted;
    },
  };
}

/** The blanks before the second string of the text at `start`, if it is on the next line. */
function continuationIndent(text: string, start: number): string | undefined {
  const feed = text.indexOf('\n', start);
  if (feed < 0) return undefined;
  let quote = feed + 1;
  while (text.charAt(quote) === ' ' || text.charAt(quote) === '\t') quote++;
  return text.charAt(quote) === '"' ? text.slice(feed + 1, quote) : undefined;
}

export function scan(text: string, options: ScanOptions = {}): Document<PoTree> {
  const header = findHeader(text);
  const slots: Slot[] = [];
  let layout: CatalogLayout = { text, wraps: false, newline: '\n', doublesTrailBytes: false };
  const naming = namingOf(text, header, options);
  const writer = writerOf(text, options.encodable, () => layout);
  layout = readMessages(text, (message) => {
    if (holdsText(message)) addSlots(slots, message, { naming, writer, messages: options.messages });
  });
  const found = { text, slots, locale: languageIn(header), hasOnlyTexts: true } as const;
  return makeDocument({ ...found, dialect: 'gettext', warnings: duplicatesIn }, readTree);
}

export function goneKeys(text: string): readonly Key[] {
  const keys: Key[] = [];
  if (!text.includes('#~')) return keys;
  readMessages(text, (message) => {
    if (message.obsolete) keys.push(messageKey(message));
  });
  return keys;
}

function namingOf(text: string, header: Header | undefined, { locale }: ScanOptions): FormNaming {
  return nameForms(pluralRuleOf(text, header, locale), locale ?? languageIn(header));
}

function duplicatesIn(text: string): readonly DocumentWarning[] {
  const seen = new Set<string>();
  const warnings: DocumentWarning[] = [];
  readMessages(text, (message) => {
    if (!isLive(message)) return;
    const { context, domain, id } = message;
    // Joins the parts as gettext does. Most keys have neither context nor domain and need no new string.
    const inContext = context ? `${context.value}\u0004${id.value}` : id.value;
    const name = domain > 0 ? `${domain}\u0000${inContext}` : inContext;
    if (seen.has(name))
      warnings.push({ rule: 'duplicate-key', key: messageKey(message), offset: message.span.start });
    seen.add(name);
  });
  return warnings;
}

/** A catalogue with its entries. */
export interface PoTree extends Catalog {
  readonly entries: readonly Entry[];
}

function readTree(text: string): PoTree {
  const catalog = readCatalog(text);
  const entries = catalog.messages
    .filter(isLive)
    .map((message) => ({ key: messageKey(message), span: messageSpan(text, message) }));
  return { ...catalog, entries };
}
