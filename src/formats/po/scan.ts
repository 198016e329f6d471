import { DragomanError } from '../../base/errors.ts';
import type { Edit, Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import type {
  Document,
  DocumentWarning,
  Entry,
  Key,
  PluralForm,
  ReadValue,
  ScanOptions,
  Slot,
  TranslationState,
} from '../format.ts';
import {
  type Form,
  type CatalogLayout,
  type CatalogMessage,
  holdsText,
  isLive,
  readCatalog,
  readMessages,
  type Catalog,
} from './catalog.ts';
import { quotePo } from './encode.ts';
import { extractedComment, flagsOf, messageSpan, settlingEdits, syntaxOf } from './flags.ts';
import { findHeader, languageIn, type Header } from './header.ts';
import { type FormNaming, nameForms } from './plural-categories.ts';
import { pluralRuleOf } from './plural-forms.ts';
import { doubleTrailBytes } from './tokens.ts';

/** Context and msgid: what gettext looks a message up by. */
export function messageKey(message: CatalogMessage): Key {
  return [message.context?.value ?? '', message.id.value];
}

/** What the slots of a file share. */
interface PoSlotContext {
  readonly naming: FormNaming;
  readonly encodable: ScanOptions['encodable'];
  /** Known when all of the file is read. */
  layout: CatalogLayout;
}

/** One slot for each `msgstr` of a message. */
function addSlots(slots: Slot[], text: string, message: CatalogMessage, context: PoSlotContext): void {
  const { comments, id, plural } = message;
  const flags = flagsOf(text, message);
  const shared: SharedFields = {
    context,
    idStart: id.span.start,
    syntax: syntaxOf(flags),
    comment: comments.length > 0 ? extractedComment(text, message) : undefined,
    provisional: flags.has('fuzzy') || undefined,
    companions: comments.length > 0 ? nonEmpty(settlingEdits(text, message)) : undefined,
  };
  const key = messageKey(message);
  if (!plural) {
    for (const form of message.forms) slots.push(new PoSlot(shared, form, key, id.value, undefined));
    return;
  }
  const sources = [id.value, plural.value] as const;
  for (const form of message.forms) {
    const category = context.naming.categoryOf(form.index);
    const source = context.naming.sourceOf(form.index, ...sources);
    slots.push(new PoSlot(shared, form, key.concat(category), source, { group: key, category, sources }));
  }
}

function nonEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** What the slots of a message share. */
interface SharedFields extends Pick<Slot, 'syntax' | 'comment' | 'provisional' | 'companions'> {
  readonly context: PoSlotContext;
  readonly idStart: number;
}

class PoSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly syntax: Syntax;
  readonly comment: string | undefined;
  readonly plural: PluralForm | undefined;
  readonly source: string;
  readonly provisional: boolean | undefined;
  readonly companions: readonly Edit[] | undefined;
  readonly #context: PoSlotContext;
  /** Where the msgid stands: a new text is laid out as it is. */
  readonly #idStart: number;

  constructor(
    { context, idStart, syntax, comment, provisional, companions }: SharedFields,
    { literal }: Form,
    key: Key,
    source: string,
    plural: PluralForm | undefined,
  ) {
    this.key = key;
    this.value = literal.value;
    this.span = literal.span;
    this.syntax = syntax;
    this.comment = comment;
    this.plural = plural;
    this.source = source;
    this.provisional = provisional;
    this.companions = companions;
    this.#context = context;
    this.#idStart = idStart;
  }

  /** What is neither empty nor fuzzy is translated; gettext knows no approval. */
  get state(): TranslationState {
    return this.value === '' || this.provisional === true ? 'initial' : 'translated';
  }

  encode(value: string): string {
    const { encodable, layout } = this.#context;
    const { text, newline, wraps, doublesTrailBytes } = layout;
    if (encodable?.(value) === false) {
      throw new DragomanError(
        'unencodable_value',
        'the charset of the file has no such characters: --to-utf8 converts it',
      );
    }
    const { start } = this.span;
    const column = start - (text.lastIndexOf('\n', start - 1) + 1);
    const indentation = continuationIndent(text, start) ?? continuationIndent(text, this.#idStart) ?? '';
    const quoted = quotePo(value, { newline, indentation, column, wraps });
    return doublesTrailBytes ? doubleTrailBytes(quoted) : quoted;
  }
}

/** The blanks before the second string of the text that starts here, if it has one on the next line. */
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
  const layout = { text, wraps: false, newline: '\n', doublesTrailBytes: false } as const;
  const context: PoSlotContext = {
    naming: namingOf(text, header, options),
    encodable: options.encodable,
    layout,
  };
  context.layout = readMessages(text, (message) => {
    if (holdsText(message)) addSlots(slots, text, message, context);
  });
  const locale = languageIn(header);
  return makeDocument({ text, slots, dialect: 'gettext', locale, warnings: duplicatesIn }, readTree);
}

export function read(text: string, visit: ReadValue, options: ScanOptions = {}): void {
  const naming = namingOf(text, findHeader(text), options);
  readMessages(text, (message) => {
    if (!holdsText(message)) return;
    const key = messageKey(message);
    for (const { index, literal } of message.forms)
      visit(message.plural ? [...key, naming.categoryOf(index)] : key, literal.value);
  });
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
    // As gettext joins them. Most have neither context nor domain: no need to build a string for each.
    const inContext = context ? `${context.value}\u0004${id.value}` : id.value;
    const name = domain > 0 ? `${domain}\u0000${inContext}` : inContext;
    if (seen.has(name))
      warnings.push({ rule: 'duplicate-key', key: messageKey(message), offset: message.span.start });
    seen.add(name);
  });
  return warnings;
}

/** A catalog with its entries. */
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
