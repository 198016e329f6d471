import type { Document, DocumentWarning, Entry, Format, ReadValue, ScanOptions, Slot } from '../format.ts';
import { isLive, readMessages, type Message } from './catalog.ts';
import { insertEntries, removeEntries } from './entries.ts';
import { findHeader, languageIn, type Header } from './header.ts';
import { messageSpan } from './message-span.ts';
import { nameForms, type FormNaming } from './plural-categories.ts';
import { pluralRuleOf } from './plural-rule.ts';
import { retargetCatalog } from './retarget.ts';
import { addSlots, messageKey, type SlotContext } from './slots.ts';

/** gettext catalogs: PO files and POT templates. */
export const po: Format = {
  id: 'po',
  scan,
  read,
  retarget: (document, options) => retargetCatalog(document.text, options),
  insert: insertEntries,
  remove: removeEntries,
};

function scan(text: string, options: ScanOptions = {}): Document {
  const header = findHeader(text);
  const slots: Slot[] = [];
  const duplicates = new DuplicateFinder();
  const layout = { text, wraps: false, newline: '\n', doublesTrailBytes: false } as const;
  const context: SlotContext = {
    naming: namingOf(text, header, options),
    encodable: options.encodable,
    layout,
  };
  context.layout = readMessages(text, (message) => {
    if (!isLive(message)) return;
    addSlots(slots, text, message, context);
    duplicates.add(message);
  });
  let entries: readonly Entry[] | undefined;
  return {
    text,
    slots,
    // Most scans are for values only.
    get entries() {
      return (entries ??= entriesOf(text));
    },
    dialect: 'gettext',
    locale: languageIn(header),
    warnings: duplicates.warnings,
  };
}

function read(text: string, visit: ReadValue, options: ScanOptions = {}): void {
  const naming = namingOf(text, findHeader(text), options);
  readMessages(text, (message) => {
    if (!isLive(message)) return;
    const key = messageKey(message);
    for (const { index, literal } of message.forms)
      visit(message.plural ? [...key, naming.categoryOf(index)] : key, literal.value);
  });
}

function namingOf(text: string, header: Header | undefined, { locale }: ScanOptions): FormNaming {
  return nameForms(pluralRuleOf(text, header, locale), locale ?? languageIn(header));
}

function entriesOf(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  readMessages(text, (message) => {
    if (isLive(message)) entries.push({ key: messageKey(message), span: messageSpan(text, message) });
  });
  return entries;
}

class DuplicateFinder {
  readonly warnings: DocumentWarning[] = [];
  readonly #seen = new Set<string>();

  add(message: Message): void {
    const { context, domain, id } = message;
    // As gettext joins them. Most have neither context nor domain: no need to build a string for each.
    const inContext = context ? `${context.value}\u0004${id.value}` : id.value;
    const name = domain > 0 ? `${domain}\u0000${inContext}` : inContext;
    if (this.#seen.has(name)) {
      this.warnings.push({ rule: 'duplicate-key', key: messageKey(message), offset: message.span.start });
    }
    this.#seen.add(name);
  }
}
